import { romanKey } from './romanise.ts';

const splitWords = (text: string) => text.trim().split(/\s+/);
/** The commonest given names: they tell which part of a name is the family's, and people from things. */
const GIVEN_NAMES = new Set(
  splitWords(`
  adam adrian agnes agnieszka ahmad ahmed aisha akira albert alberto alejandro aleksandr aleksandra aleksei alena
  alessandro alex alexander alexandra alfred alice alicia alina aliya amelie amir amit ana anastasia anatoly anders
  andre andrea andreas andrei andres andrew andrzej andy angela anja ann anna anne annie anthony anton antonia antonio
  arjun armen arthur ayse aziz beatrice beatriz ben benedikt benjamin bjorn bob bogdan boris brian bruno camila carl
  carlo carlos carmen carol carolina catherine charles charlie charlotte chiara chloe chris christian christina
  christine christoph christopher claire claudia dan dana daniel daniela daniil daria dariusz david diana dieter dmitry
  dmytro eduard eduardo ekaterina elena eleonora elif elisa elizabeth emilia emily emma emre enrique eric erik eugene
  eva evgeny ewa fatima felix fernando filip fiona florian francesca francesco francisco frank franz friedrich fyodor
  gabriel gabriela georg george georgios gerhard giovanni giulia giuseppe grace grigory guillaume gunter hanna hannah
  hans harald harry hasan hassan hatice helen helena henry hugo hussein ibrahim igor ilya ines irina isabel isabella
  ivan ivana jack jacob james jan jane jean jennifer jens jessica joanna joe johannes john jonas jonathan jose josef
  joseph juan julia julian julien jurgen kamil karen karim karl karolina katarina kate katherine katya kevin kim kirill
  klaus konstantin krzysztof ksenia lars laszlo laura lena leo leonid levan liam lisa louis luc luca lucas lucia lucie
  luis luisa lukas luke luther magdalena maksim manuel manuela marc marcel marco marcus marek margaret maria marie
  marina mario mark marko marta martha martin martina mary maryam matteo matthew matthias max maximilian megan mehmet
  michael michal michel michelle miguel mike mikhail mila misha mohamed mohan monika mykola nadezhda nadia natalia
  natasha nicholas nick nicola nicolas nicole nikita nikolai nikos noah noor nora nur oksana oleg oleksandr olena olga
  oliver olivia omar pablo paolo pascal patrick paul paula paulo pavel pedro peter petra philip pierre piotr rachel
  rafael ravi ricardo richard rita robert roberto roman rosa rose ruslan samuel sandra sarah sasha sean sebastian sergey
  sergio serhii simon sofia soren stefan stephen steve steven susan sven svetlana tamara taras tariq taro tatiana
  tetiana thomas tobias tom tomas tomasz tony valentina valeria vasily vera veronika viktor viktoria vincent vitaly
  vladimir vladislav wilhelm william wolfgang yael yaroslav yasmin yevhen yuki yulia yuri yusuf zeynep zoe zofia`).map(
    romanKey,
  ),
);

/** Variants of given names by language or passport. */
const NAME_VARIANTS = `
  abdullah abdallah, aleksandr alexander oleksandr aleksandar alexandros, aleksandra oleksandra, aleksey alexis oleksii,
  andrei andrii, artem artiom, bogdan bohdan, christos hristos, daniil danylo danila, dimitrios dimitris, dmitry dmytro
  dimitri, ekaterina kateryna, elena olena, evgenia yevheniia, evgeny yevhen yevhenii eugene, fyodor fedir, galina
  halyna, georgios giorgos yiorgos, georgy heorhii, grigory hryhorii, hussein husain hossein, igor ihor, ioannis yannis
  giannis, khaled khalid, kirill kyrylo, konstantin kostiantyn constantin, ludmila lyudmila, mikhail mykhailo, milos milosh, mohammed
  muhammad mohammad, nikita mykyta, nikolai mykola nicolai, nikolaos nikos, oleg oleh, olga olha, omar umar, pavel
  pavlo, pyotr petro piotr, sergey serhii sergii, svetlana svitlana, tatiana tetiana, timofey tymofii, vasily vasyl,
  viktor victor, viktoria victoria, vladimir volodymyr, yakov yakiv, yulia julia, yusuf youssef`;

const VARIANTS_BY_KEY = new Map(
  NAME_VARIANTS.split(',').flatMap(names => splitWords(names).map(name => [romanKey(name), splitWords(names)])),
);

/** @param name in plain Latin letters */
export const isGivenName = (name: string): boolean => GIVEN_NAMES.has(romanKey(name));

/** The ways to write this given name in other languages, itself included; none for others. */
export const listVariants = (key: string): readonly string[] => VARIANTS_BY_KEY.get(key) ?? [];
