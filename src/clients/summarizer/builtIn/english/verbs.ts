const words = (list: string) => new Set(list.split(/\s+/));

/** "Making" is "make", even where the tagger mistook it for a noun. */
export function baseOf({ low, lemma }: { low: string; lemma: string }): string {
  if (!lemma.endsWith('ing')) return lemma;
  const stem = low.slice(0, -3);
  if (/([bdglmnprt])\1$/.test(stem)) return stem.slice(0, -1);
  return /(?:[aeiou][kvczs]|at|it|iz|rg|ng|dg|us|uc|in|ir|or|ur|ar|id|od|ud|ap|ip|op|ul|ut)$/.test(stem) &&
    !/(?:ait|ort|oin|ain|ear|eat|oad|end|eed|ead|eep|eer|edit|our|visit|book|look|speak|cook)$/.test(stem)
    ? `${stem}e`
    : stem;
}

/** States, not deeds: "I need it" promises nothing. */
export const STATES = words(
  `need want have think know hope like love see guess mean feel believe understand remember prefer wish agree bet suppose wonder
  doubt hate appreciate live work be seem look sound owe own belong cost depend hear swear say miss care mind expect wait come sleep
  enjoy stay use get find understand recommend suggest assume imagine propose apologise apologize thank note insist disagree`,
);

/** Words that are nouns as often as verbs, and open a request if nothing comes before them. */
export const REQUESTS = words(
  `send call text email mail check book order ping message phone ring forward share schedule review update print post file test give tell
  let bring pay sign fill confirm prepare finish write ask add change move upload submit remind resend transfer return pick order
  contact arrange organize organise invite cancel stop put get make include attach deliver reserve approve send quote invoice copy
  translate fix remove replace correct redo drop help come meet use try visit`,
);
/** Verbs of handing over: an imperative of these is meant as a request. */
export const TRANSFERS = words(
  `send email mail forward share give call text ping message phone ring fill pay sign confirm prepare resend transfer remind submit upload
  book order arrange cancel deliver write invite let tell bring check return fix add quote invoice stop`,
);
/** Wishes and calls to wait, in the form of an imperative. */
export const WISHES = words(
  `have enjoy take keep look see thank let wait hold hang guess hope forget relax imagine say welcome excuse forgive calm shut believe
  trust wish stay live love try congratulate rest go follow think listen sit stand turn hurry`,
);
/** Verbs that ask to be told something, not to act. */
export const TELLING = words(
  'tell explain describe recommend suggest believe imagine repeat spell see hear understand guess say handle remember',
);

/** Small words that may come between a subject and its verb. */
export const BETWEEN = words(
  'also just then still definitely really now already probably both all only quickly please kindly maybe certainly gladly personally even first simply actually either at least have_to',
);

/** What people do for themselves or in the moment: nothing to remember unless a day is said. */
export const MOMENTARY = words(
  `have miss leave enter play turn relax hope be think sit stand stay eat drink wear dance sing go come take start try enjoy like love
  see die win lose help feel become grow marry fall wait stop continue keep remain happen choose put stick pass drive walk run hang rest
  sleep wake cook watch listen follow agree accept allow admit deserve dissolve swallow add look put never handle manage survive`,
);
/** "Can you play the piano?" asks what someone is able to do. */
export const ABILITIES = words(
  'play speak swim drive read cook dance ride sing hear feel see remember believe imagine describe smell understand afford type ski skate recognise recognize guess name',
);

/** What people do for themselves, on whatever day. */
export const PERSONAL = words(
  'leave miss win die feel become grow marry fall enjoy love like relax eat drink sleep rest travel fly move live stay retire graduate',
);
