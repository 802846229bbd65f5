/**
 * Short and familiar forms of given names, with commas between names, the full form first, in plain Latin letters.
 * English, German, Spanish, Portuguese, French, Italian, Polish, Russian, Ukrainian.
 */
const NICKNAMES = `
abel abelito, abigail abby gail, abraham abe bram, agnieszka aga agusia, albert al bert albie,
alejandro alex ale jandro, aleksandr alex sasha sanya shura alik,
aleksandra alex sasha sanya shura ola olka oleksandra lesya, aleksei alex alyosha lyosha lesha,
alessandra ale sandra, alessandro ale sandro, alexander alex al sandy xander sascha lex,
alexandra alex sandra sandy lexi sasha, alexandre alex xande, alfonso poncho fonso alonso, alfred alf fred freddie,
alfredo fredo, alicia ali licia, alison ali allie, ana anita anna anabel, anastasia nastya stacy asya ana,
anatoly tolya tolik, andrea andi drea, andreas andi andy, andrei andryusha dron, andrew andy drew, andrzej jedrek,
angela angie, angelika geli angie, anna anya annie nyura ania anka asia hania anita anni anja nyusha annushka,
anne annie, anthony tony ant, antonina tonya tosya, antonio toni tony nino tonio tono tonho toninho,
artem tema artyom, arthur art artie, barbara barb barbie babs basia bara, bartlomiej bartek, bartosz bartek,
beata beatka, beatrice bea trixie, benedikt ben bene, benjamin ben benny benji, bernard bernie,
bernhard bernie bernd, bogdan bodya, boleslaw bolek, boris borya, bronislaw bronek, carlos carlitos charly charlie,
carmen carmencita mamen, caroline carol carrie caro karo lina, catalina cata lina, catarina cata,
catherine cathy cate kate katie cath, charles charlie chuck chas, charlotte charlie lottie lotte lotta lotti,
christian chris, christiane chris jane, christina chris tina chrissy, christine chris tina chrissy,
christopher chris kit topher, concepcion concha conchita, consuelo chelo, cristina cris tina, cristobal tobal,
czeslaw czesiek, daniel dan danny dani danya daniele danek, daniela dani, daria dasha, dariusz darek,
david dave davey dudu dawid dato, deborah deb debbie, denis den deniska, diego dieguito, dieter didi,
dmitry dima mitya dimitri, dolores lola loli, dominic dom nick, dorota dorotka, dorothy dot dottie dolly,
edmund ed eddie, eduardo edu lalo duda, edward ed eddie ted teddy ned edek,
ekaterina katya katia kate katusha katerina katyusha, eleanor ellie nell nora,
elena lena helen alyona lenochka lyolya, eleonora nora ella, elisabeth lisa sabeth lisbeth elli betty liesel sissi,
elizabeth liz lizzie beth betty eliza libby lisa elsie bess, elizaveta liza lizka, elzbieta ela elka, emanuel manu,
emilia emily mila emi, emilio milo, emmanuel manu manny, encarnacion encarna, enrique quique kike, ernesto neto,
esperanza espe, eugene gene, eva evie evita, evgenia zhenya, evgeny zhenya evgen eugene zheka, ewa ewka ewunia,
ferdinand ferdi nando, fernando nando fer fercho nano, filip fil, florian flo, frances fran frankie fanny,
francesca fran franca, francesco franco checco ciccio cecco, francis frank frankie, francisca paca fran pancha,
francisco paco pancho kiko fran paquito curro frasco quico chico, franciszek franek, francois fanfan,
franziska franzi ziska, frederick fred freddie fritz, friedrich fritz fred, gabriel gabe gabi,
gabriela gabi gaby gabrysia, galina galya galochka, gennady gena, georg schorsch, george georgie,
georgios giorgos yorgos, gerald gerry jerry, gerhard gerd, giovanni gianni nanni vanni, giuseppe beppe peppe pino,
giuseppina pina, gonzalo gonzo gonza, graciela chela, gregorio goyo, gregory greg gregor, grigory grisha,
grzegorz grzes grzesiek, guadalupe lupe, guillaume guigui, guillermo guille memo, gustavo gus tavo guga,
halina halinka, hannelore hanne lore, harold harry hal, harriet hattie, hector tito, heinrich heinz heiner,
helen nell nellie, helena lena hela helenka nela, henry harry hank hal, henryk heniek, herbert herb bert, iain ian,
ignacio nacho, ignacy ignas, igor gosha igoryok, ilya ilyusha, ines nena, ioannis yannis giannis, ippolit polya,
irena irka, irina ira irochka, isabel isa izzy bella belle isabelita chabela bel, isabella bella izzy isa,
ivan vanya, iwona iwonka, jacek jacus, jacob jake jakob, jacqueline jackie, jacques jacquot, jadwiga jadzia,
james jim jimmy jamie jem, jan janek jasiek jas, janet jan, janusz januszek, jaroslaw jarek, jason jay, javier javi,
jean jeannie, jeanne jeannette, jeffrey jeff, jennifer jen jenny jenn, jeremy jerry jez, jerzy jurek,
jessica jess jessie, jesus chus chuy suso, joachim jochen jo, joanna asia joasia jo, joao joaozinho jao,
joaquim quim, joaquin quino quim, johann hans hannes, johanna hanna hanni jo, johannes hannes hans johann,
john jack johnny, jolanta jola, jonathan jon jonny nathan, jorge coque jorgito,
jose pepe chepe josete pepito ze zeca, josef sepp seppi jupp pepi, josefa pepa pepita, joseph joe joey jo,
joshua josh, jozef jozek jozio, juan juanito juancho, judith judy jude, julia jule yulya, julian jul, juliana juli,
jurgen jogi, justyna justynka, karl kalle charly, karolina karo lina karolinka, karsten kalle, katarzyna kasia kaska,
katerina katya, katharina kathi kathe kati katja trine kathrin nina, katherine kate kathy katie kat kay kit,
kathleen kathy kate kath, kazimierz kazik kazio, kenneth ken kenny, kirill kirya, klara klarchen, klaus nico,
konstantin kostya, kornelia nelly conny, kristian kris, kristina kris tina, krystyna krysia,
krzysztof krzysiek krzys, ladislav lada, laszlo laci, lawrence larry laurie, leonard len lenny leo, leonid lyonya,
leszek lech, lewis lew, liam li, lidia lida, lorenzo renzo, lucia luz lucy, lucyna lucka, ludwig lutz wiggerl,
luis lucho luisito luisinho, luiz lula, lukasz luki, lyubov lyuba, lyudmila lyuda mila, maciej maciek,
magdalena magda lena maggie madzia leni, malgorzata gosia malgosia, manuel manolo manu manolito lolo manel,
marcelo celo, marcin marcinek, margaret maggie meg peggy marge margie greta daisy madge mags maisie,
margarethe grete gretchen gretel, margarita rita margo marga ritochka,
maria masha marusya mary mia marysia maya maruja mari marichu marika mascha mania marusia marunya marija masia,
mariana mari, marina marisha, mariusz mariuszek, mariya masha, martha marty, martin marty, martina tina,
mary molly polly may, mateusz mati, matthaus matthias, matthew matt matty, matthias matze, mauricio mau,
maxim max maks, maximilian max maxi, melissa mel lissa, mercedes merche meche,
michael mike mick mickey mikey michi michl mischa, michal michas misiek, miguel mike migue miguelito micky,
mikhail misha mike, mikolaj miki mikolajek, milagros mili, miroslaw mirek, mohammed mo mohd hamada, monika moni,
montserrat montse, nadezhda nadya, natalia natasha nata nataly tasha natka talia, nathaniel nat nate,
nicholas nick nicky, nicola nicky, nicole nicky nikki, nikita niki, nikolai kolya nick nikolay,
nikolaus klaus niko nick klaas, octavio tavo, oksana ksyusha ksana, oleksandr sashko olex sasha alex,
oleksii lyosha oleksa, olena lena olenka, olga olya olia, oliver ollie, olivia liv livvy, pablo pablito pablete,
pamela pam, patricia pat patty trish tricia, patricio pato, patrick pat paddy rick, patrizia patty,
paula paulita paulina, pavel pasha pavlik, pawel pawelek, pedro perico pedrinho, penelope penny, peter pete,
petr petya, petra petzi, philip phil pip, pierre pierrot, pilar pili, piotr piotrek piotrus,
rafael rafa rafi rafinha, ramon moncho, raquel raqui, raymond ray, rebecca becky becca, refugio cuca,
reinhard reiner, ricardo rick ricky cayo ricardito, richard rick rich ricky dick rico,
robert bob rob bobby robbie bert bertie, roberto beto berto robi tito, rodrigo rodri rigo, roman roma,
ronald ron ronnie, rosa rosita, rosario charo chayo, roxana roxy, rudolf rudi rolf, ruslan rus, ryszard rysiek,
salvador salva chava, samantha sam sammy, samuel sam sammy, sandra sandy, santiago santi yago chago,
sarah sally sadie, sebastian seb basti bastian, sebastiao tiao, sergei seryozha, sergey seryozha serge, sergio checo,
serhii serhiyko, slawomir slawek, sofia sonya sophie sofi sonia, soledad sole, stanislav stas slava,
stanislaw staszek stasiek, stefan steffen stefek, stephan steff, stephanie steph steffi stevie, stephen steve stevie,
steven steve stevie, susan sue susie suzy, susana susi, suzanne sue suzy, svetlana sveta lana, svitlana sveta lana,
szymon szymek, tadeusz tadek, taras tarasik, tatiana tanya tania tanyusha,
teresa terry tess tessa tere maite teresita, tetiana tanya, theodore ted teddy theo, theresia resi, thomas tom tommy,
timothy tim timmy, tomas tom tomy, tomasz tomek tomus, trinidad trini, ulrich uli, ursula uschi ulla, vadim vadik,
valentina valya tina vale, valery valera, vasily vasya, vasyl vasya, vera verochka, veronica vero roni ronnie,
vicente chente, victor vic vitya vitin, victoria vicky vic tori vika, viktor vitya vic, viktoria vika vicky,
viktoriya vika, vincent vince vinny, vincenzo enzo, violetta viola, virginia ginny ginger, vitaly vitalik,
vitor vitinho, vladimir vova volodya vlad vovka, vladislav vlad vladik, volodymyr vova volodya vovka,
vyacheslav slava, walburga burgi, waldemar waldek, walter walt wally, waltraud traudl, wieslaw wiesiek,
wilhelm willi willy helmut wim, william bill will billy willy liam, wladyslaw wladek, wojciech wojtek wojtus,
wolfgang wolf wolfi, xaver xaverl, yaroslav yarik slava, yekaterina katya katia katyusha, yevgeny zhenya,
yosef yossi, yulia yulya julia, yuri yura, yusuf yusi, zachary zach zack, zbigniew zbyszek, zdzislaw zdzisiek,
zofia zosia, zygmunt zyga
`;

/** By short or full form: the full forms it may stand for. */
const FULL_FORMS = new Map<string, string[]>();
/** By full form: it and its short forms. */
const NAMES = new Map<string, string[]>();
for (const entry of NICKNAMES.split(',')) {
  const names = entry.trim().split(/\s+/);
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
