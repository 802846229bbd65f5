import { eng } from 'stopword';
import { cue, either, pairs, wordSet } from './cues.ts';
import type { LanguagePack } from './types.ts';

const ACTIONS = [
  'send share forward email mail write call phone ring text ping message check review prepare draft finish complete',
  'update fix confirm book reserve arrange schedule organise organize sign pay transfer invoice order bring deliver',
  'submit upload print translate install deploy test provide cancel postpone introduce invite convey remind contact',
  'finalise finalize resend collect fill approve ship return',
]
  .join(' ')
  .split(' ')
  .concat('look into', 'look at', 'pick .. up', 'set up', 'get back', 'get in touch', 'follow up', 'find out')
  .concat('take care of', 'talk to', 'speak to', 'speak with', 'talk with', 'drop off', 'put together', 'work on')
  .concat('let you/him/her/them/us/everyone know', 'make .. reservation/reservations/appointment/booking')
  .concat('get .. to you', 'give .. a call', 'have .. ready');

const WEAK_ACTIONS = 'be do have get give tell show help come go meet join see make take try ask start visit buy'.split(
  ' ',
);
const FUTURE = ["i'll", 'i will', "i'm going to", 'i am going to', "i'm gonna", 'i shall', 'i promise to', 'i can'];
const OUR_FUTURE = ["we'll", 'we will', "we're going to", 'we are going to', 'we shall'];
const ASKING = [
  'can/could/would/will you',
  'can/could you please/pls/kindly/also/maybe/just/quickly',
  'please',
  'pls',
  'plz',
  'kindly',
  'i need/want you to',
  "i'd/i would like you to",
  "don't/do not forget to",
  'remember to',
  'make sure to/you',
  'be sure to',
  'you/u need/have to',
  'you must',
  'you should',
];

export const english: LanguagePack = {
  code: 'en',
  stopwords: new Set([
    ...eng,
    ...wordSet(`i'm i've i'll i'd you're you've you'll you'd he's she's it's it'll we're we've we'll we'd they're they've
      that's there's here's what's who's how's where's let's don't doesn't didn't isn't aren't wasn't weren't won't
      wouldn't can't couldn't shouldn't haven't hasn't hadn't ain't i me my mine you your yours he him his she her hers it
      its we us our ours they them their theirs this that these those what which who whom whose when where why how all
      any both each few more most other some such no nor not only own same so than too very can will just should would
      could may might must shall do does did doing done have has had having be been being am is are was were get gets got
      getting go goes going gone went come comes coming came take takes took make makes made let say says said tell told
      think thinks thought know knows knew see saw seen look looks looking want wants wanted need needs like likes liked
      really actually maybe perhaps quite pretty also even still yet already again now then here there today well oh ah
      um uh hmm hey yeah yep nope ok okay sure yes please thanks thank sorry hello hi bye good great nice fine right
      lot lots bit thing things something anything nothing everything someone anyone everyone one ones way much many
      little every never ever always if because while until about against between into through before after above below
      up down out off over under once sir madam mr mrs ms guess mean kind sort give gave put keep try tried use used
      course though although anyway else without within another rather around away since back first last next lol haha
      got gonna wanna gotta whether upon per via etc us feel feels felt seem seems sounds sound talk tell asked ask
      believe hope might wonder care matter idea problem happen happened happens`),
  ]),
  smallTalk: cue(
    'hi/hello/hey/hiya/yo/bye/goodbye/cheers/thanks/thx/ty/welcome/congratulations/congrats/sorry/excuse me',
    'good morning/afternoon/evening/night/day/bye/luck',
    'thank you',
    'how are/is you/things/everything/it',
    'how are you doing',
    "how's it going",
    "what's up",
    'see you',
    'talk .. soon/later',
    'take care',
    'have a good/nice/great',
    'nice/pleased/good/great to meet/see',
    'no problem/worries',
    "you're welcome",
    'i see/agree/understand/know',
    'of course',
    'sounds good/great/nice/fine',
    "that's right/true/great/good/fine/ok/okay/nice/all",
    'ok/okay/sure/yes/yeah/yep/no/nope/right/great/perfect/fine/really/wow/exactly/absolutely/certainly/definitely',
    'here you are/go',
    'come on',
    'can/may i help you',
    'let me see',
  ),
  opening: cue(
    '^well/ok/okay/oh/ah/yes/yeah/yep/no/so/and/but/hi/hello/hey/sure/right/anyway/also/hmm/um/thanks/great/actually/sorry',
    '^thank you',
    '^excuse me',
    '^of course',
    '^you know',
    '^i see',
    '^good morning/afternoon/evening',
    '^by the way',
  ),
  question: cue(
    '^what/who/whom/whose/when/where/why/how/which',
    '^do/does/did/is/are/was/were/can/could/will/would/should/have/has/may/shall i/you/he/she/it/we/they/there/the/your/this/that',
    "^what's/who's/where's/how's/when's",
  ),
  inquiry: cue(
    'can/could/would you .. tell/explain/show/describe/help/give/recommend/suggest/believe/imagine/repeat/spell/mind',
    'do you .. know/have/want/like/think',
    'would you like',
    'tell me',
    'how about',
  ),
  promise: either(pairs([...FUTURE, ...OUR_FUTURE], ACTIONS, ' .. '), pairs(['let me'], LET_ME(), ' ')),
  promiseWithDate: pairs([...FUTURE, ...OUR_FUTURE], WEAK_ACTIONS, ' .. '),
  request: either(
    pairs(ASKING, ACTIONS, ' .. '),
    cue(
      '^send/email/forward/text/call/ping/remind me/us',
      '^let me/us know',
      'let me/us know',
      'waiting for your',
      '^give me a call',
      '^call/email/text/message me/him/her/them',
    ),
    cue('^send/check/confirm/sign/pay/book/review/submit/finish/prepare/update the/this/that/it/your'),
  ),
  requestWithDate: pairs(ASKING, WEAK_ACTIONS, ' .. '),
  settled: cue(
    'done',
    'just sent/did/paid/signed/booked/called',
    'i sent/have sent/paid/signed/booked/did',
    "i've .. sent/paid/signed/booked/done/finished/called/checked/updated/shared/fixed",
    'already sent/paid/signed/booked/did/done',
    'here it is/you are/you go/is the/are the/it goes',
    'never mind',
    'no longer needed/necessary',
    'no need',
    "i/we can't",
    'i/we cannot',
    "i won't",
    "i'm afraid not",
  ),
  urgent: cue(
    'urgent/urgently/asap/immediately/emergency/critical/outage/deadline',
    'as soon as possible',
    'right now/away',
    'at once',
    'today at the latest',
    'before it is too late',
    'hurry',
    'is/are/went down',
    'blocker',
    'last chance',
    'time sensitive',
  ),
  soon: cue('soon/tonight/eod/today/tomorrow', 'this week/afternoon/morning', 'end of day', 'important', 'waiting for'),
  positive: cue(
    'great/good/excellent/amazing/awesome/fantastic/wonderful/perfect/brilliant/lovely/beautiful/delicious/nice',
    'happy/glad/pleased/delighted/excited/proud/satisfied/impressed/relieved/lucky/fun/enjoy*/success*',
    'love/loved/loves/congratulations/congrats/thanks/thank/appreciate*/helpful/recommend*',
    'look/looking forward',
    'well done',
    'good/great job/news/work',
  ),
  negative: cue(
    'bad/terrible/awful/horrible/worst/worse/poor/disappoint*/angry/upset/annoy*/frustrat*/unhappy/sad/worried',
    'unfortunately/problem/problems/issue/issues/complain*/broken/fail*/wrong/mistake*/late/delay*/hate/hates/lost',
    'unacceptable/refund/cancel*/afraid/hurt*/pain*/sick/tired/difficult/trouble/argument/fault/fired/rude/mess',
    'too expensive/bad/slow/late',
    'turned down',
    'fed up',
    'not working/happy/good/sure/satisfied/enough',
  ),
  negation: cue(
    "not/no/never/hardly/don't/doesn't/didn't/isn't/aren't/wasn't/weren't/won't/can't/couldn't/without/cannot",
  ),
  meeting: cue(
    'meeting/meet/appointment/interview/lunch/dinner/breakfast/demo/workshop/conference/reservation/webinar/zoom',
    'catch up',
    'call at/on/tomorrow/with',
    'a call',
    'see you at/on/there/tomorrow',
    'get together',
  ),
  introduction: cue(
    'my name is',
    'let me introduce',
    'like/want you to meet',
    "i'd like to introduce",
    'introduce you to',
    'introducing',
    '^this is .. from',
    'meet my colleague/partner/boss/friend',
    'put you in touch with',
    'nice/pleased to meet you',
  ),
  dealSignals: {
    price: cue('price*/cost/costs/quote/quotation/rate/rates/pricing/fee/fees', 'how much'),
    discount: cue('discount*/rebate/bargain', '% off', 'per cent off', 'percent off', 'cheaper'),
    budget: cue('budget*'),
    contract: cue('contract*/agreement/nda/signature', 'terms and conditions', 'sign the/it'),
    renewal: cue('renew*/subscription', 'extend the'),
    cancellation: cue('cancel*/refund*/terminate*', 'give notice'),
    order: cue('order/orders/ordered/purchase*', 'place an order', 'go with the/your offer', 'we/i will take it'),
    invoice: cue('invoice*/bill'),
    payment: cue('payment*/pay/paid/deposit/instalment*/installment*', 'bank transfer', 'credit card'),
    demo: cue('demo*/trial/pilot', 'proof of concept'),
    delivery: cue('deliver*/shipping/shipment*/ship/shipped', 'lead time'),
    competitor: cue('competitor*', 'other/another supplier/vendor/offer/provider', 'cheaper elsewhere'),
  },
  nounLead:
    wordSet(`a an the my your his her its our their this that these those some any no of for about with from on in
    at to by new another each every`),
  notNoun: /(?:ly|n't|'(?:s|m|re|ve|ll|d))$/u,
  calendar: {
    today: cue('today/tonight/eod', 'end of day', 'end of the day'),
    tomorrow: cue('tomorrow/tmrw/tmr'),
    dayAfterTomorrow: cue('day after tomorrow'),
    endOfWeek: cue('end of week', 'end of the/this week', 'later this week', 'still this week', 'this week', 'eow'),
    nextWeek: cue('next week', 'end of next week'),
    endOfMonth: cue('end of month', 'end of the/this month', 'this month', 'eom'),
    nextMonth: cue('next month'),
    weekdays: 'mon monday|tue tues tuesday|wed wednesday|thu thurs thursday|fri friday|saturday|sunday'
      .split('|')
      .map(day => cue(...day.split(' '))),
    months: [],
    inTime: /(?!)/u,
    units: { day: /^d/u, week: /^w/u, month: /^m/u },
    before: cue('by/until/till/before/on/due/from/after/for', 'no later than', 'by the', 'before the', 'on the'),
  },
  phrases: {
    asks: '{who} asks {to}',
    requests: '{who} asks {to}',
    promises: '{who} promises',
    says: '{who} says',
    about: '{who} talk about {topics}.',
    and: 'and',
    reply: 'Reply to {to}',
    media: {
      photo: 'photos',
      video: 'videos',
      voice: 'voice messages',
      document: 'documents',
      sticker: 'stickers',
      location: 'locations',
      contact: 'contacts',
      poll: 'polls',
    },
  },
};

function LET_ME(): string[] {
  return ['check', 'ask', 'confirm', 'find out', 'look into', 'get back', 'think about', 'talk to', 'speak to'];
}
