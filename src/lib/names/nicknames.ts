/**
 * Short and familiar forms of given names, one name a line, the full form first, without accents and in Latin letters.
 * English, German, Spanish, Portuguese, French, Italian, Polish, Russian, Ukrainian.
 */
const NICKNAMES = `
abigail abby gail
abraham abe bram
albert al bert albie
aleksandr alex sasha sanya shura alik
aleksandra alex sasha sanya shura ola
alexander alex al sandy xander sascha lex
alexandra alex sandra sandy lexi sasha
alejandro alex ale jandro
aleksei alex alyosha lyosha lesha
alfred alf fred freddie
alicia ali licia
alison ali allie
anastasia nastya stacy asya ana
anatoly tolya tolik
andreas andi andy
andrei andryusha dron
andrew andy drew
andrzej jedrek
angela angie
anna anya annie nyura ania anka
anne annie
anthony tony ant
antonio toni tony nino
artem tema artyom
arthur art artie
barbara barb barbie babs basia
bartosz bartek
beatrice bea trixie
benjamin ben benny benji
bernard bernie
boris borya
caroline carol carrie caro
catherine cathy cate kate katie cath
charles charlie chuck chas
charlotte charlie lottie lotte
christian chris
christina chris tina chrissy
christine chris tina chrissy
christopher chris kit topher
daniel dan danny dani danya
daniela dani
daria dasha
david dave davey dudu
deborah deb debbie
denis den deniska
dmitry dima mitya dimitri
dominic dom nick
dorothy dot dottie dolly
edward ed eddie ted teddy ned
ekaterina katya katia kate katusha
elena lena helen alyona
eleanor ellie nell nora
elizabeth liz lizzie beth betty eliza libby lisa elsie bess
emilia emily mila emi
emmanuel manu manny
enrique quique kike
eugene gene
eva evie evita
evgeny zhenya evgen eugene
evgenia zhenya
fernando nando fer
florian flo
frances fran frankie fanny
francesca fran franca
francesco franco checco ciccio
francis frank frankie
francisco paco pancho kiko fran
frederick fred freddie fritz
friedrich fritz fred
gabriel gabe gabi
gabriela gabi gaby
galina galya
gennady gena
georg schorsch
george georgie
gerald gerry jerry
gregory greg gregor
grigory grisha
guadalupe lupe
guillermo guille memo
harold harry hal
harriet hattie
heinrich heinz heiner
helen nell nellie
henry harry hank hal
herbert herb bert
ignacio nacho
igor gosha igoryok
ilya ilyusha
irina ira irochka
isabel isa izzy bella belle
isabella bella izzy isa
ivan vanya
jacob jake jakob
jacqueline jackie
james jim jimmy jamie jem
janet jan
jason jay
jean jeannie
jeffrey jeff
jennifer jen jenny jenn
jeremy jerry jez
jessica jess jessie
joachim jochen jo
joanna asia joasia jo
johannes hannes hans johann
john jack johnny
jonathan jon jonny nathan
jorge coque
jose pepe
josefa pepa pepita
joseph joe joey jo
joshua josh
juan juanito
judith judy jude
julia jule yulya
katarzyna kasia kaska
katherine kate kathy katie kat kay kit
kathleen kathy kate kath
kenneth ken kenny
kirill kirya
konstantin kostya
krzysztof krzysiek krzys
lawrence larry laurie
leonard len lenny leo
leonid lyonya
lewis lew
liam li
lorenzo renzo
luis lucho
lyubov lyuba
lyudmila lyuda mila
magdalena magda lena maggie
malgorzata gosia malgosia
manuel manolo manu
marcin marcinek
margaret maggie meg peggy marge margie greta daisy
margarita rita margo
maria masha marusya mary mia marysia maya maruja
marina marisha
mariana mari
martha marty
martin marty
mary molly polly may
matthew matt matty
matthias matze
maxim max maks
maximilian max maxi
melissa mel lissa
michael mike mick mickey mikey michi
mikhail misha mike
miguel mike migue
mohammed mo mohd hamada
nadezhda nadya
natalia natasha nata nataly tasha
nathaniel nat nate
nicholas nick nicky
nicola nicky
nicole nicky nikki
nikita niki
nikolai kolya nick nikolay
nikolaus klaus niko
oleksandr sashko olex sasha alex
olga olya olia
oliver ollie
olivia liv livvy
pablo pablito
pamela pam
patricia pat patty trish tricia
patrick pat paddy rick
pavel pasha pavlik
pawel pawelek
penelope penny
peter pete
petr petya
philip phil pip
piotr piotrek
raymond ray
rafael rafa
rebecca becky becca
reinhard reiner
ricardo rick ricky cayo
richard rick rich ricky dick rico
robert bob rob bobby robbie bert bertie
roberto beto berto
roman roma
ronald ron ronnie
rosario charo
roxana roxy
rudolf rudi rolf
ruslan rus
samantha sam sammy
samuel sam sammy
sandra sandy
sarah sally sadie
sebastian seb basti bastian
sergey seryozha serge
sofia sonya sophie
stanislav stas slava
stefan steffen stefek
stephanie steph steffi stevie
stephen steve stevie
steven steve stevie
susan sue susie suzy
suzanne sue suzy
svetlana sveta lana
taras tarasik
tatiana tanya tania
teresa terry tess tessa
theodore ted teddy theo
thomas tom tommy
timothy tim timmy
tomasz tomek
ulrich uli
vadim vadik
valentina valya tina
valery valera
vasily vasya
vera verochka
veronica vero roni ronnie
victor vic vitya
victoria vicky vic tori vika
viktor vitya vic
viktoria vika vicky
vincent vince vinny
virginia ginny ginger
vitaly vitalik
vladimir vova volodya vlad
vladislav vlad vladik
volodymyr vova volodya
vyacheslav slava
walter walt wally
wilhelm willi willy helmut
william bill will billy willy liam
wojciech wojtek
wolfgang wolf wolfi
yaroslav yarik slava
yekaterina katya katia
yevgeny zhenya
yosef yossi
yulia yulya julia
yuri yura
yusuf yusi
zachary zach zack
zbigniew zbyszek
`;

/** By short or full form: the full forms it may stand for. */
const FULL_FORMS = new Map<string, string[]>();
/** By full form: it and its short forms. */
const NAMES = new Map<string, string[]>();
for (const line of NICKNAMES.trim().split('\n')) {
  const names = line.split(' ');
  const [full = ''] = names;
  NAMES.set(full, names);
  for (const name of names) FULL_FORMS.set(name, [...(FULL_FORMS.get(name) ?? []), full]);
}

/** Other forms of a given name, full ones first: what the same person may be filed under. */
export function otherForms(name: string): string[] {
  const fulls = FULL_FORMS.get(name) ?? [];
  const all = [...fulls, ...fulls.flatMap(full => NAMES.get(full) ?? [])];
  return [...new Set(all)].filter(form => form !== name);
}

/** Whether both may be forms of one name. Not to be relied on: Alex is Alexandra as well. */
export function areFormsOfOneName(a: string, b: string): boolean {
  const fulls = FULL_FORMS.get(a) ?? [];
  return (FULL_FORMS.get(b) ?? []).some(full => fulls.includes(full));
}

export function isGivenName(name: string): boolean {
  return FULL_FORMS.has(name);
}
