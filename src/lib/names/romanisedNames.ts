/**
 * Given names that one person writes in several ways in Latin letters, because their own alphabet or their passport
 * spells them differently. Unlike nicknames, these are the same name. One name per line, without accents.
 */
const ROMANISATIONS = `
abdullah abdallah abdulla
aleksandr alexander alexandr aleksander oleksandr alexandros aleksandar
aleksandra alexandra oleksandra
aleksey alexey aleksei alexei alexej aleksej alexi oleksii oleksiy
anastasia anastasiya anastasiia
anatoly anatolii anatoliy anatoli
andrei andrey andrii andriy andrej
antonina antonyna
arkady arkadii arkadiy arkadi
artem artyom artiom artyem
bogdan bohdan
christos hristos khristos
daniil danylo danila danil
daria darya dariya dariia
denis denys
dimitrios dimitris dimitri
dmitry dmitri dmitrii dmitriy dmitrij dmytro dimitri
ekaterina yekaterina kateryna katerina jekaterina
eleni helene elena
elena yelena olena jelena
evgenia yevgenia evgeniya evgeniia yevheniia yevgeniya
evgeny evgenii evgeniy yevgeny yevgeni yevhen yevhenii evgeni eugen eugene
filipp philipp
fyodor fedor fedir
galina halyna
gennady gennadii gennadiy hennadii
georgios giorgos yiorgos yorgos giorgios
georgy georgii georgiy georgi heorhii
grigory grigorii grigoriy hryhorii hryhoriy
hussein husain hussain husayn hossein husein
igor ihor
ilya ilia illia
ioannis yannis giannis yiannis
irina iryna
ivan iwan
khaled khalid
kirill kyrylo kiril cyril
konstantin kostiantyn constantin konstantyn
konstantinos costas kostas constantinos
ksenia kseniya kseniia xenia
lyubov liubov lubov
lyudmila liudmila ludmila liudmyla lyudmyla
maksim maxim maksym maxym
maria mariya mariia marya
milica militsa
milos milosh
mikhail mykhailo michail mihail
mohammed mohamed muhammad mohammad muhammed mohamad muhamed
nadezhda nadiia nadia nadiya
natalia natalya nataliya nataliia natalja
nikita mykyta
nikolai nikolay mykola nikolaj nicolai
nikolaos nikos nicolaos
oksana oxana
oleg oleh
olga olha
omar umar
panagiotis panayiotis panos
pavel pavlo
pyotr petr petro piotr
sergey sergei serhii serhiy sergii sergiy sergej
sofia sofiya sofiia sofya sophia
svetlana svitlana
tatiana tatyana tetiana tetyana tatjana
timofey timofei tymofii
uros urosh
vadim vadym
valentyna valentina
valery valerii valeriy valeri
vasily vasilii vasiliy vasyl vasili wassili
vasilios vasilis vassilis
viktor victor
viktoria victoria viktoriya viktoriia
vitaly vitalii vitaliy vitali
vladimir volodymyr wladimir
vladislav vladyslav wladislaw
vyacheslav viacheslav
yakov yakiv iakov jakov
yaroslav iaroslav jaroslav
yevgenia yevheniia
yulia julia yuliya yuliia iuliia julija iulia juliya
yuri yury yurii yuriy iurii juri iuri jurij
yusuf youssef yousef yousuf youssouf yusef
zhanna zanna janna
`;

const GROUPS = new Map<string, string[][]>();
for (const line of ROMANISATIONS.trim().split('\n')) {
  const names = line.split(' ');
  for (const name of names) GROUPS.set(name, [...(GROUPS.get(name) ?? []), names]);
}

/** The other ways to write this given name, the commoner first. */
export function romanisedForms(name: string): string[] {
  return [...new Set((GROUPS.get(name) ?? []).flat())].filter(form => form !== name);
}

export function areRomanisations(a: string, b: string): boolean {
  return (GROUPS.get(a) ?? []).some(names => names.includes(b));
}
