/**
 * What people say about passwords without giving one: "the password is wrong". A word from this list after the word for
 * a password is no secret; any other plain word is taken for one. Beginnings of words, in small letters, by language.
 */
const BEGINNINGS = [
  // English
  'still not wrong correct incorrect expire required being reset need miss valid invalid same that this what which where when who how',
  'sent set chang block lock unlock lost forg gone broke work accept reject refuse unknown known insecure strong weak unsafe',
  'short long simple easy hard difficult differ identical fine good okay ready here there below above attach inside under written',
  'stored saved shared print post hidden visible empty blank protect encrypt manag polic rule field prompt recover generat please',
  'again today tomorrow tonight later soon asap only always never probably maybe case from with without your mine ours their another',
  'somewhere something anything nothing everything coming available tempor permanent unique optional mandator compromis leak stolen hack',
  'next just really already also very quite problem issue list sheet file page link email fail does didn could should would must have',
  'been will monday tuesday wednesday thursday friday saturday sunday enough safe stuff thing question help once well',
  // German
  'noch nicht falsch richtig abgelaufen vergess geänder gesperrt entsperrt ungültig gültig unbekannt bekannt nötig erforderlich leider',
  'stimm geht funktion neu alt derselb dasselb gleich anders jetzt immer wieder morgen heute gleich später bitte schon zurück kommt fehlt',
  'sicher unsicher stark schwach kurz lang einfach schwer gespeichert hinterlegt oben unten hier dort beim unter manager liste verloren',
  // Spanish, Portuguese, French, Italian
  'incorrect correct caduc expir vencid olvid cambi bloque válid inválid segur débil fuerte nuev misma mismo otra otro mañana luego ahora',
  'ahí aquí está para necesari equivocad mala errad fraca fort inseguro esquec trocad mudou outra outro mesma mesmo nova novo amanhã aqui',
  'toujours oublié chang bloqu perdu faux fausse mauvais faible sécuris nouveau nouvelle même autre demain ici là-bas dans périm requis',
  'invalide valide sbagliat corrett scadut dimentic cambiat bloccat debole sicur nuov stess altr domani adesso qui chiave giusta giusto',
  // Polish
  'nieprawidłow prawidłow wygas zapomni zmieni zmian zablokow błędn złe dobre poprawn niepoprawn słab silne nowe stare inne takie same',
  'jutro dzisiaj teraz potem później znowu proszę tutaj nadal wciąż tylko jeszcze potrzebn wysł wyśl przysł działa menedżer',
  // Russian, Ukrainian
  'неверн верн неправильн правильн истёк истек устарел сброс забы измен смен поменя заблок слаб сложн прост нов стар друг тот такой так',
  'завтра сегодня сейчас потом позже опять снова пожалуйста тоже там здесь тут ещё еще нужн подход подош работ слетел утер пришл скин',
  'невірн вірн неправильн застар скинут забу змін інш завтра сьогодні зараз потім пізніше знову будь також отут потрібн підход підійш прац',
  // Turkish
  'yanlış doğru değiş unut geçersiz geçerli süresi aynı yeni eski başka yarın bugün şimdi sonra tekrar lütfen burada hala hâlâ gerek lazım',
  'zayıf güçlü kayb sıfırla çalış gönder',
]
  .join(' ')
  .split(' ');

const TOLD_OF = new RegExp(`^(?:${[...new Set(BEGINNINGS)].join('|')})`, 'u');
/**
 * Endings of verbs and participles. Where only a space separates it from the word for a password, such a word continues
 * the sentence: "password expired", "пароль пришлю".
 */
const ENDS_LIKE_A_VERB =
  /(?:ed|ing|ado|ada|ido|ida|é|ée|ato|ata|uto|uta|[ую]|[аеёиыуя]т|ть|ться|л[аиоя]?|л[ао]?сь|лися|[аеён]н[аоы]?|[иыо]й|ая|ое|ые|[иї]ть|[ую]ть|[ая]ть|[ао]в|ився|ę|ł|ł[aoy]|li|n[aey]|ono|[aeu]je|[dt][ıiuü](?:m|n|k)?|m[ıiuü]ş|yor)$/u;
const AROUND = /^["'“„«`(]{1,3}|["'”“»`)\].,;:!?…]{1,5}$/gu;

/** Whether a word after "the password is" says something about the password instead of giving it. */
export function isPasswordTalk(word: string): boolean {
  return TOLD_OF.test(bare(word));
}

/** The same for a word right after "password", which may be a verb as well. */
export function continuesSentence(word: string): boolean {
  return isPasswordTalk(word) || ENDS_LIKE_A_VERB.test(bare(word));
}

function bare(word: string): string {
  return word.slice(0, 80).replaceAll(AROUND, '').toLowerCase();
}
