import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

/** Said on a Tuesday: how much it presses, how it felt, and whether the other side waits for an answer. */
const TALKS: [lines: string[], urgency: string, sentiment: string, waiting: boolean][] = [
  // What the other side promises for today presses no one else; "!!" beside a bad word is no joy.
  [
    ['Ann: I need the plan of the roof', 'Sam: There it is', 'Ann: Then the offer comes tonight'],
    'medium',
    'neutral',
    false,
  ],
  [['Ann: The oven is broken and the guests are waiting!!', 'Sam: I know'], 'high', 'negative', false],
  [
    [
      'Ann: Morning Sam, the oven on the ground floor gives error 14 again and we have 200 loaves to bake for tonight',
      'Sam: On my way, I can be there at 11',
      'Ann: Please hurry, the dough is rising',
    ],
    'high',
    'negative',
    true,
  ],
  [
    [
      'Ann: Hi Sam, I have your VAT return ready. I only miss the receipt for the printer. The filing deadline is Thursday, after that there is a 250 euro fine',
      'Sam: ok I look for it tonight',
    ],
    'high',
    'neutral',
    false,
  ],
  [
    [
      'Sam: The model for the school is finished, photos are in the folder',
      'Ann: Oh this is gorgeous! The client will be over the moon',
      'Sam: Thank you, the team worked hard',
    ],
    'none',
    'positive',
    false,
  ],
  [
    [
      'Ann: The lift inspection is on 9 December, somebody has to let the man into the machine room',
      'Sam: Fine, I will do it',
      'Ann: Thanks',
    ],
    'low',
    'neutral',
    false,
  ],
  [
    [
      'Ann: We got the wrong gloves, M instead of L. For the third time!',
      'Sam: I am so sorry. I will send the right ones with the courier today',
      'Ann: I hope so. Honestly we are looking at other suppliers',
    ],
    'high',
    'negative',
    false,
  ],
  [
    [
      'Ann: Could you translate 4 pages by tomorrow noon? The client pays express',
      'Sam: Yes, send it over',
      'Ann: [file: manual.docx] here you go, you are a lifesaver!',
    ],
    'medium',
    'positive',
    false,
  ],
  [
    [
      'Sam: Are the peonies for the wedding possible in December?',
      'Ann: Hardly, and they would cost 9 euros a stem. Ranunculus would be nicer',
      'Sam: Ok ranunculus then',
      'Ann: Good choice',
    ],
    'none',
    'neutral',
    false,
  ],
  [
    [
      'Ann: The stage plan has to be at the city office by Wednesday, otherwise they do not give us the permit',
      'Ann: Can you draw the escape routes in?',
    ],
    'high',
    'neutral',
    true,
  ],
  [
    ['Ann: Our shop shows a white page since 8 this morning. Customers cannot order. What is going on?'],
    'high',
    'negative',
    true,
  ],
  [
    [
      'Ann: Our shop shows a white page since 8 this morning',
      'Sam: Found it, a plugin update. It is back up, please reload',
      'Ann: Works again. Thanks for the quick help, great!',
    ],
    'none',
    'positive',
    false,
  ],
  [
    [
      'Ann: I went through the lease. Clause 8 worries me, you would be liable for the roof. Do you want to discuss this with the owner?',
      'Sam: Yes, I call him this week and tell you what he says',
    ],
    'low',
    'neutral',
    false,
  ],
  [
    [
      'Ann: She accepted the offer!!',
      'Sam: Fantastic news, best day of the week',
      'Ann: She starts on 4 January. I send you the signed papers on Friday',
    ],
    'low',
    'positive',
    false,
  ],
  [['Ann: Rehearsal is in room 3 this time', 'Sam: Ok, thanks for telling me'], 'none', 'neutral', false],
  [
    ['Ann: Fyi, the plumber was here, everything is tight again', 'Ann: I put the bill on your desk'],
    'none',
    'neutral',
    false,
  ],
  [
    [
      'Ann: The container is stuck in customs, they want the original certificate by 3 pm today or it goes back',
      'Sam: I look for it',
    ],
    'high',
    'negative',
    false,
  ],
  [['Ann: ETA of the vessel is 2 December. I keep you posted', 'Sam: Thanks'], 'none', 'neutral', false],
  [
    ['Ann: I love the pictures!! Number 12 made me cry', 'Ann: Could I get that one in high resolution?'],
    'low',
    'positive',
    true,
  ],
  [
    ['Ann: The parents evening moved to Thursday at 19:00. Can you bring the projector?', 'Sam: Sure'],
    'medium',
    'neutral',
    false,
  ],
  [
    [
      'Ann: Bella does not eat since Sunday and now she vomits. Can we come today?',
      'Sam: Yes, come at 4',
      'Ann: Thank you, we are very worried',
    ],
    'high',
    'negative',
    false,
  ],
  [
    [
      'Ann: Hallo Sam, der Drucker im Büro geht immer noch nicht und morgen müssen die Angebote raus',
      'Sam: Ich schicke heute Nachmittag jemanden vorbei',
      'Ann: Das wäre gut. Langsam nervt es wirklich',
    ],
    'high',
    'negative',
    false,
  ],
  [
    [
      'Ann: Guten Tag Herr Porter, können Sie mir die Baupläne schicken? Es eilt nicht, nächste Woche reicht',
      'Sam: Mache ich gern',
    ],
    'low',
    'neutral',
    false,
  ],
  [
    ['Ann: Die Fliesen sind da und sehen super aus, vielen Dank!', 'Sam: Das freut mich sehr'],
    'none',
    'positive',
    false,
  ],
  [
    ['Ann: Wir brauchen die Freigabe bis Donnerstag, sonst verfällt der Platz in der Druckerei. Klappt das?'],
    'high',
    'neutral',
    true,
  ],
  [
    [
      'Ann: Ich wollte nur Bescheid geben, dass wir umgezogen sind. Neue Adresse: Lindenweg 4',
      'Ann: Sonst bleibt alles beim Alten',
    ],
    'none',
    'neutral',
    false,
  ],
  [
    [
      'Ann: Добрый день! Сайт не открывается с утра, клиенты звонят и ругаются',
      'Sam: Смотрим, пришлю новости через час',
      'Ann: Пожалуйста, быстрее',
    ],
    'high',
    'negative',
    true,
  ],
  [['Ann: Сэм, пришлите макет визитки, когда будет время, не срочно', 'Sam: Хорошо, пришлю'], 'low', 'neutral', false],
  [['Ann: Диван привезли, всё прекрасно, спасибо огромное!', 'Sam: Рад, что понравилось'], 'none', 'positive', false],
  [
    ['Ann: Нужна подпись директора до среды, иначе банк закроет линию', 'Sam: Понял, завтра подпишем'],
    'medium',
    'neutral',
    false,
  ],
  [
    [
      'Ann: Hola Sam, la caldera está rota otra vez y tenemos clientes en el hotel, es urgente',
      'Sam: Mando al técnico esta tarde',
    ],
    'high',
    'negative',
    false,
  ],
  [['Ann: Cuando puedas me mandas las fotos del local, sin prisa', 'Sam: Vale, te las mando'], 'low', 'neutral', false],
  [['Ann: Me encanta el diseño, es precioso!', 'Ann: El viernes te mando los textos'], 'low', 'positive', false],
  [['Ann: Merci beaucoup, les invités ont adoré le buffet !', 'Sam: Avec plaisir'], 'none', 'positive', false],
  [
    ['Ann: Oi Sam, o sistema caiu e não consigo emitir nota, tem fila de clientes aqui', 'Sam: Já estou vendo'],
    'high',
    'negative',
    false,
  ],
  [['Ann: Adorei a reforma, ficou linda demais!', 'Sam: Que bom!'], 'none', 'positive', false],
  [
    ['Ann: Dzień dobry, faktura musi być u nas do środy, inaczej zapłacimy dopiero w styczniu', 'Sam: Wyślę jutro'],
    'medium',
    'neutral',
    false,
  ],
  [
    ['Ann: Merhaba, kapı hâlâ bozuk, üç gündür bekliyoruz, çok kötü', 'Sam: Yarın usta gönderiyorum'],
    'medium',
    'negative',
    false,
  ],
  [
    [
      'Ann: Our pilot ends on Sunday. I have to tell my board by Thursday if we go on',
      'Ann: What would 30 seats cost?',
    ],
    'medium',
    'neutral',
    true,
  ],
  [
    [
      'Ann: We lost the tender. 3 points short',
      'Sam: Damn. I am sorry',
      'Ann: Yes, everybody is down. We meet on Friday to see what we learn',
    ],
    'low',
    'negative',
    false,
  ],
];

describe('how urgent a conversation is and how it felt', () => {
  for (const [lines, urgency, sentiment, waiting] of TALKS) {
    it(`finds it ${urgency}, ${sentiment}, ${waiting ? 'waiting' : 'waiting for nothing'}: ${lines.join(' / ')}`, async () => {
      const { structured, waits } = await summarizer.summarize(conversation(lines));
      expect([structured.urgency, structured.sentiment, waits.questions.length > 0]).to.deep.equal([
        urgency,
        sentiment,
        waiting,
      ]);
    });
  }
});
