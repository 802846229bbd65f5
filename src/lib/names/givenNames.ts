import { isGivenName } from './nicknames.ts';
import { romanisedForms } from './romanisedNames.ts';

/** Given names that have no short form worth listing. Plain Latin letters. They only help to tell the order of a name. */
const OTHERS = new Set(
  `ahmed ahmad ali hassan hasan hussein fatima aisha khadija layla leila mariam maryam zeynep ayse fatma emine hatice
  mehmet mustafa murat emre burak can deniz elif merve selin kemal yusuf ibrahim ismail abdullah karim tariq tarek samir
  nadia yasmin noor nour rania salma amira amina youssef bilal hamza rashid salim sami
  ravi raj rahul amit anil sunil vijay sanjay rajesh suresh ramesh priya pooja neha anjali deepak arjun rohan kavita
  sunita anita lakshmi krishna mohan gopal ananya aarav vikram
  luca marco matteo giulia chiara paolo giorgio giovanni giuseppe stefano alessandro andrea simone elisa federica
  silvia laura lucia carla carlos diego javier sergio raul pedro miguel rafael juan jose maria ana carmen elena cristina
  pilar teresa sofia martin mateo santiago camila valentina joao rui tiago bruno caio paulo marcelo beatriz
  fernanda pierre paul jean jacques claude michel philippe francois louis luc marc mathieu nicolas julien sophie camille
  claire celine aurelie amelie chloe emma manon lea ines rene
  hans karl klaus jurgen uwe ralf dieter gunter gunther werner horst helga heike sabine petra ute monika birgit kerstin
  anke silke lukas jonas felix leon lena hannah annika anja antje bjorn lars sven nils erik olaf soren jens mads freja
  astrid ingrid sigrid kari ola nora maja elsa gustav mikael johan per anders bo
  jan piet kees joost daan sanne femke anouk bas marijn willem pieter
  pavol milan marek jakub ondrej vaclav jiri petra lucie tereza veronika zuzana agnieszka ewa beata dorota iwona jacek
  grzegorz pawel michal lukasz marta magdalena tomas lukas filip adam marko nikola jelena milica dragan zoran goran ivana
  ion ioana andreea mihai radu florin cristian elena ana bogdan vlad
  peter janos laszlo istvan gabor zoltan ferenc balazs attila tamas sandor anna eszter katalin ildiko zsofia judit agnes
  bence gergely matyas
  giorgi nino tamar levan davit irakli ana ketevan armen hayk aram tigran ani narek gohar
  aigul aliya nurlan askar timur rustam ruslan aziz dilnoza gulnara zarina
  kaan eren umut ozan cem sibel ebru gul nur
  john james robert michael william david richard joseph thomas charles mary patricia jennifer linda elizabeth barbara
  susan jessica sarah karen nancy emily emma olivia ava mia noah liam mason lucas ethan logan aiden jackson ryan kyle
  brian kevin steven mark scott eric adam aaron sean ian colin stuart graham alan neil craig gary keith ruth alice grace
  rose lily ella chloe amy megan lauren rachel hannah heather tracy lisa laura julia natalie zoe kim dana robin lee
  wanjiru kwame kofi ama chinedu emeka ngozi amara oluwaseun tunde yaw akua abena
  taro hanako yuki kenji hiroshi akira takashi yoko sakura haruto ren aoi naoko keiko satoshi kazuo yuko
  vitalii oksana taras bohdan solomiia nazar ostap lesia kateryna iryna roman zlata mila vera kira alina alena alisa
  arina dina inna kristina lilia marat marsel milana polina rita zhanna yana yaroslava gleb egor timofey stepan semyon
  matvey lev artur eduard ernest albina karina snezhana emil saul ruben moshe yael noa eitan avi shira omer tal
  rivka chaim shlomo dov`.split(/\s+/),
);
/** Two names that people use as one. */
const COMPOUNDS = new Set(
  `maria jose|jose maria|juan carlos|jose luis|luis miguel|juan pablo|miguel angel|jose antonio|juan jose|jose manuel|
  victor manuel|marco antonio|maria fernanda|maria elena|maria teresa|maria luisa|maria isabel|ana maria|ana paula|
  ana sofia|luz maria|rosa maria|joao paulo|joao pedro|luiz felipe|maria eduarda|jean paul|jean luc|jean pierre|
  jean claude|jean marc|jean jacques|jean michel|jean baptiste|marie claire|marie anne|anne marie|anne sophie|
  mary ann|mary jane|sarah jane|billy joe|john paul|hans peter|karl heinz|hans joachim|klaus dieter|eva maria|
  anna lena|ann kathrin|gian luca|gian marco|pier paolo|maria grazia|anna sofia|abu bakr|mohammad reza|
  ali reza|ayse nur|mehmet ali`
    .split('|')
    .map(pair => pair.trim()),
);

/** @param key in plain Latin letters */
export function isKnownGivenName(key: string): boolean {
  return isGivenName(key) || OTHERS.has(key) || romanisedForms(key).length > 0;
}

export function isCompoundGivenName(first: string, second: string): boolean {
  return COMPOUNDS.has(`${first} ${second}`);
}
