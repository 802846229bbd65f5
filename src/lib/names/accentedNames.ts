/**
 * Names that people write without their accents. The CRM's search doesn't fold accents, so José is only found under
 * that spelling. Given names and family names of the languages where this is usual.
 */
const ACCENTED = `
mónica míriam adán agnès álvarez álvaro amélie andré andrés ángel ángela angélica anaïs antónio antônio aurélie aurélien ávila
álex beltrán benítez benoît béatrice bárbara belén blažek björn božena brückner bücher bühler börje caño cárdenas
castañeda cécile céline césar chloé clément córdoba cortés cristóbal çelik çetin díaz dávid domínguez dvořák édouard
élise élodie émile émilie éric estefanía étienne eugène fábio fátima félix fernández françois françoise frédéric
frédérique gaël gaëlle galván garcía gérard germán gómez gonçalves gonzález göran gökhan grégoire grégory guðrún
gutiérrez günther günter gülşen håkan håkon hélène hernández hervé héctor horák horváth hüseyin ibáñez inês inés
irène íñigo iñaki isabël ismaël jáchym järvinen jérémy jérôme jiménez jiří joão joaquín joël josé josée józef
jónsson juárez júlia júlio jürgen jørgen jørgensen jörg kätlin köhler könig krämer krüger kučera kühn küçük laëtitia
lászló léa léo léon lópez lörincz lúcia lucía luís łukasz luboš lukáš lübke magalhães małgorzata maría mária mário
marián márquez márta martínez martín matěj matías maël mélanie méndez michał michèle mickaël míriam mônica möller
müller muñoz måns mårtensson mäkelä mårten möllers møller natália nicolás nóra noël noé noémie novák nováková nguyễn
núñez nuñez öberg ödegård ødegård ólafur óscar ömer örn özdemir öztürk özgür øyvind pál paweł peña péter pérez
procházka quiñones rafał ramírez ramón raúl régis rémi rené renée ríos rodríguez romão róbert rocío röder rößler
roßmann rubén ruíz sánchez sándor sébastien séverine sérgio sílvia simão şahin şimşek şener siân sławomir solène
sofía søren sørensen stéphane stéphanie stępień strauß suárez szabó szymański sørlie šimon štěpán schäfer schröder
schüler schütz schönberg svobodová tamás tadeáš thérèse théo théodore tomás tomáš tóth trần türkan tõnu túlio ümit
uğur václav valérie vásquez vázquez véronique verónica víctor vítor vörös włodzimierz weiß wójcik wiśniewski
wiśniewska woźniak wróbel yáñez yıldız yılmaz yıldırım yüksel zoé zoë zoltán zúñiga žižka žofie zielińska zieliński
kamiński kamińska dąbrowski dąbrowska kozłowski kozłowska łuczak pawłowski pawłowska jabłoński michałek gołębiowski
sjöberg lindström bergström nyström åkesson åberg ström ekström holmström löfgren sjögren söderberg hägg hübner
günay doğan aydın kılıç erdoğan koç bošković đorđević kovačević marković petrović nikolić jovanović stojanović ilić
popović pavlović hadžić babić perić tomić lukić kovač hernán conceição assunção araújo simões guimarães brandão
leitão antónia fabrício patrício vinícius márcio márcia flávio flávia cláudio cláudia cássio luísa luíza heloísa
letícia patrícia aníbal benjamín agustín adrián damián fabián iván jesús julián león sebastián tobías valentín noemí
rosalía ágata loïc loïs gaëtan raphaël raphaëlle michaël emmanuèle gisèle geneviève andrée désirée dorothée océane
maïlys inès lefèvre lefébvre bérard géraud rivière lemaître bélanger côté lévesque gagné bédard désilets
`;

const BY_PLAIN = new Map<string, string[]>();
for (const name of ACCENTED.trim().split(/\s+/)) {
  const plain = withoutAccents(name);
  if (plain !== name) BY_PLAIN.set(plain, [...(BY_PLAIN.get(plain) ?? []), name]);
}

function withoutAccents(name: string): string {
  const letters: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i', ß: 'ss', đ: 'd', ð: 'd' };
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łøıßđð]/g, letter => letters[letter] ?? letter);
}

/** The accented forms of a name that was written without accents. */
export function accentedForms(plain: string): string[] {
  return [...new Set(BY_PLAIN.get(plain) ?? [])];
}
