import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';

type Said = [from: 'user' | 'contact', text: string];
/** What is said on Wednesday, 28 October 2026 at nine, and the items that it leaves: owner, text, day. */
type Row = [said: Said[], items: [owner: string, text: string, day: string | null][]];

const GREETINGS: Record<string, string> = {
  ru: 'Добрый день! Мы говорили о поставке ткани для вашего магазина',
  uk: 'Добрий день! Ми говорили про постачання тканини для вашого магазину',
  es: 'Buenos días, le escribo por las telas para la tienda de ustedes',
  de: 'Guten Tag, wir haben über den Stoff für Ihren Laden gesprochen',
  fr: 'Bonjour, je vous écris pour le tissu de votre magasin',
  pt: 'Bom dia, escrevo por causa dos tecidos para a sua loja',
  it: 'Buongiorno, le scrivo per i tessuti del suo negozio',
  tr: 'İyi günler, mağazanız için kumaş hakkında yazıyorum',
};

const one = (text: string): Said[] => [['contact', text]];
const answered = (asked: string, reply: string): Said[] => [
  ['user', asked],
  ['contact', reply],
];

const ROWS: Record<string, Row[]> = {
  ru: [
    [
      one('до пятницы всё посчитаю и пришлю смету'),
      [['contact', 'Посчитать всё до пятницы и прислать смету', '2026-10-30']],
    ],
    [one('дам знать как только придёт груз'), [['contact', 'Дать знать как придёт груз', null]]],
    [one('с меня образцы'), [['contact', 'Vera: «С меня образцы»', null]]],
    [one('жду счёт'), [['user', 'Vera: «Жду счёт»', null]]],
    [one('не могли бы вы продублировать письмо'), [['user', 'Продублировать письмо', null]]],
    [one('напомните ему про акт сверки пожалуйста'), [['user', 'Напомнить ему про акт сверки', null]]],
    [one('когда сможете отгрузить вторую партию?'), [['user', 'Отгрузить вторую партию', null]]],
    [one('в субботу заеду заберу остатки'), [['contact', 'Заехать забрать остатки в субботу', '2026-10-31']]],
    [one('добавлю вас в рассылку'), [['contact', 'Добавить в рассылку', null]]],
    [one('внесите правки в договор и верните мне'), [['user', 'Внести правки в договор и вернуть', null]]],
    [one('вечером отправлю фотоотчёт'), [['contact', 'Отправить фотоотчёт вечером', '2026-10-28']]],
    [one('вам завтра надо подъехать на склад'), [['user', 'Подъехать на склад', '2026-10-29']]],
    [one('как придёт оплата, отгрузим ткань'), [['contact', 'Отгрузить ткань', null]]],
    [one('10 ноября отгружаем ткань'), [['contact', 'Отгрузить ткань 10 ноября', '2026-11-10']]],
    [one('бригада приедет завтра до 20:00'), [['contact', 'Vera: «Бригада приедет завтра до 20:00»', '2026-10-29']]],
    [one('клиент спрашивал, когда отправим'), []],
    [one('мы вчера отгрузили остаток'), []],
    [one('скидку дадим 3 процента'), []],
    [answered('пришлите номер счёта', '40702810900000012345'), []],
    [answered('когда пришлёте договор?', 'завтра'), [['contact', 'Прислать договор', '2026-10-29']]],
  ],
  uk: [
    [one('з мене зразки'), [['contact', 'Vera: «З мене зразки»', null]]],
    [one('попрошу директора підписати акт'), [['contact', 'Попросити директора підписати акт', null]]],
    [one('рахунок оплачу ввечері'), [['contact', 'Оплатити рахунок ввечері', '2026-10-28']]],
    [one('заїду заберу решту в суботу'), [['contact', 'Заїхати забрати решту в суботу', '2026-10-31']]],
    [one('Решту документів надішлю завтра'), [['contact', 'Надіслати решту документів', '2026-10-29']]],
    [one('можете розглянути нашу пропозицію?'), [['user', 'Розглянути пропозицію', null]]],
  ],
  es: [
    [one('mañana te paso el presupuesto'), [['contact', 'Pasar a Anna el presupuesto', '2026-10-29']]],
    [
      one('el lunes hablo con el proveedor y te cuento'),
      [['contact', 'Vera: «El lunes hablo con el proveedor y te cuento»', '2026-11-02']],
    ],
    [one('se lo llevo mañana a la oficina'), [['contact', 'Llevarlo mañana a la oficina', '2026-10-29']]],
    [one('yo me encargo del transporte'), [['contact', 'Encargarse del transporte', null]]],
    [
      one('la semana que viene te entrego las muestras'),
      [['contact', 'Entregar a Anna las muestras la semana que viene', '2026-11-06']],
    ],
    [one('necesito el pago antes del sábado'), [['user', 'Vera: «Necesito el pago antes del sábado»', '2026-10-30']]],
    [one('¿podría enviarme la cédula fiscal por favor?'), [['user', 'Enviar a Vera la cédula fiscal', null]]],
    [one('tenés que completar el formulario'), [['user', 'Completar el formulario', null]]],
    [one('hay que pagar la tasa del ayuntamiento'), [['user', 'Pagar la tasa del ayuntamiento', null]]],
    [one('le digo a Pablo que te llame'), [['contact', 'Vera: «Le digo a Pablo que te llame»', null]]],
    [
      one('te transfiero mañana sin falta'),
      [
        [
          'contact',
          'Transferir a Anna mañana sin falta («Le escribo por las telas para la tienda de ustedes»)',
          '2026-10-29',
        ],
      ],
    ],
    [one('reclamaré el retraso a la empresa'), [['contact', 'Reclamar el retraso a la empresa', null]]],
    [one('no puedo ir mañana'), []],
    [one('ya te lo mandé ayer'), []],
    [one('cuando quieras tomamos algo'), []],
    [answered('me mandas la guía?', 'te la mando mañana'), [['contact', 'Mandar a Anna la guía', '2026-10-29']]],
    [
      answered('necesito el contrato firmado', 'hoy mismo se lo envío'),
      [['contact', 'Enviarlo («Necesito el contrato firmado»)', '2026-10-28']],
    ],
  ],
  de: [
    [one('ich kümmere mich um die Halle'), [['contact', 'Sich um die Halle kümmern', null]]],
    [one('meld mich morgen'), [['contact', 'Sich morgen melden', '2026-10-29']]],
    [
      one('wir schauen uns den Entwurf an und geben Bescheid'),
      [['contact', 'Den Entwurf anschauen und Bescheid geben', null]],
    ],
    [
      one('die Rechnung leite ich an die Buchhaltung weiter'),
      [['contact', 'Die Rechnung an die Buchhaltung weiterleiten', null]],
    ],
    [
      one('ich spreche mit meinem Chef und sage dir Bescheid'),
      [['contact', 'Mit dem Chef sprechen und Anna Bescheid sagen', null]],
    ],
    [
      one('bis Freitag hast du die Unterlagen'),
      [['contact', 'Vera: „Bis Freitag hast du die Unterlagen“', '2026-10-30']],
    ],
    [one('schicke dir morgen die Fotos'), [['contact', 'Anna morgen die Fotos schicken', '2026-10-29']]],
    [one('würden Sie bitte den Vertrag prüfen?'), [['user', 'Den Vertrag prüfen', null]]],
    [one('füllen Sie bitte den Fragebogen aus'), [['user', 'Den Fragebogen ausfüllen', null]]],
    [one('bitte die Schlüssel beim Pförtner abgeben'), [['user', 'Die Schlüssel beim Pförtner abgeben', null]]],
    [one('vergiss nicht den Mietvertrag zu kündigen'), [['user', 'Den Mietvertrag kündigen', null]]],
    [one('wir brauchen noch Ihre Steuernummer'), [['user', 'Vera: „Wir brauchen noch Ihre Steuernummer“', null]]],
    [
      one('wir liefern morgen zwischen 8 und 10 die Ware'),
      [['contact', 'Morgen zwischen 8 und 10 die Ware liefern', '2026-10-29']],
    ],
    [one('gestern hat der Kunde angerufen'), []],
    [one('wenn du Fragen hast sag Bescheid'), []],
    [answered('kannst du die Muster mitbringen?', 'mach ich'), [['contact', 'Die Muster mitbringen', null]]],
    [
      answered('schickst du mir den Vertrag?', 'schick ich dir morgen'),
      [['contact', 'Anna den Vertrag schicken', '2026-10-29']],
    ],
    [
      one('schicken Sie mir bitte eine Liste vom Schaden mit Fotos'),
      [['user', 'Vera eine Liste vom Schaden mit Fotos schicken', null]],
    ],
  ],
  fr: [
    [one('je vous envoie la facture demain'), [['contact', 'Envoyer la facture', '2026-10-29']]],
    [one("l'acompte je vous le vire lundi"), [['contact', "Virer l'acompte lundi", '2026-11-02']]],
    [one("je m'occupe des textes"), [['contact', "S'occuper des textes", null]]],
    [one('vous pouvez me transmettre le contrat ?'), [['user', 'Transmettre à Vera le contrat', null]]],
    [
      one('je vérifie le devis et je vous appelle vendredi'),
      [['contact', 'Vérifier le devis et appeler vendredi', '2026-10-30']],
    ],
    [one('merci beaucoup, bonne soirée'), []],
  ],
  pt: [
    [one('te mando as fotos amanhã'), [['contact', 'Mandar a Anna as fotos', '2026-10-29']]],
    [one('pode deixar comigo'), []],
    [one('preciso do contrato até sexta'), [['user', 'Vera: “Preciso do contrato até sexta”', '2026-10-30']]],
    [one('me manda a nota fiscal por favor'), [['user', 'Mandar a Vera a nota fiscal', null]]],
    [one('enviarei o orçamento na segunda'), [['contact', 'Enviar o orçamento na segunda', '2026-11-02']]],
  ],
  tr: [
    [one('sunumu akşama yollarım'), [['contact', 'Sunumu akşama yollamak', '2026-10-28']]],
    [one('faturayı şirkete kesin lütfen'), [['user', 'Faturayı şirkete kesmek', null]]],
    [one('yarın havale yapacağım'), [['contact', 'Yarın havale yapmak', '2026-10-29']]],
    [one('yenisini attım'), []],
    [one('bi ara kahve içelim'), []],
  ],
  it: [
    [one('domani ti mando il preventivo'), [['contact', 'Mandare a Anna il preventivo', '2026-10-29']]],
    [
      one('il bonifico lo faccio venerdì'),
      [['contact', 'Fare il bonifico venerdì («Le scrivo per i tessuti del suo negozio»)', '2026-10-30']],
    ],
    [one('mi manda la fattura per favore?'), [['user', 'Mandare a Vera la fattura', null]]],
    [one('ci penso io'), []],
    [
      one('mi serve il contratto entro venerdì'),
      [['user', 'Vera: «Mi serve il contratto entro venerdì»', '2026-10-30']],
    ],
    [one('già pagato'), []],
    [answered('mi mandi il numero?', 'te lo mando domani'), [['contact', 'Mandare a Anna il numero', '2026-10-29']]],
  ],
};

function requestOf(language: string, said: Said[]) {
  const talk: Said[] = [['contact', GREETINGS[language] ?? ''], ...said];
  return {
    peerName: 'Vera Lindt',
    userName: 'Anna Wolska',
    isGroup: false,
    style: 'BUSINESS' as const,
    timezone: 'UTC',
    messages: talk.map(([from, text], id) => ({
      id,
      sentAt: new Date('2026-10-28T09:00:00Z'),
      fromUser: from === 'user',
      senderName: from === 'user' ? 'Anna Wolska' : 'Vera Lindt',
      text,
      forwarded: false,
    })),
  };
}

const read = (language: string, said: Said[]) => createBuiltInSummarizer().summarize(requestOf(language, said));

describe('the built-in summarizer in the languages of its tables', () => {
  for (const [language, rows] of Object.entries(ROWS)) {
    for (const [said, items] of rows) {
      it(`${language}: ${items.length > 0 ? 'leaves to do' : 'leaves nothing to do'} after "${said.map(([, text]) => text).join(' – ')}"`, async () => {
        const { structured } = await read(language, said);
        const found = structured.actionItems.map(({ owner, text, dueDate }) => [owner, text, dueDate]);
        expect(found).to.deep.equal(items);
      });
    }
  }

  it('tells what was done in the words of the language', async () => {
    const said = (asked: string, done: string): Said[] => [
      ['user', asked],
      ['contact', 'ok'],
      ['contact', done],
    ];
    expect((await read('de', said('schick mir bitte den Vertrag', 'Vertrag geschickt'))).summary).to.include(
      'Vera hat Anna den Vertrag geschickt.',
    );
    expect((await read('ru', said('пришлите договор пожалуйста', 'договор прислала'))).summary).to.include(
      'Vera прислала договор.',
    );
  });

  it('quotes a sentence once, and ends what it quotes with a full stop', async () => {
    const { summary } = await read('es', [
      ['user', 'cuándo van las fotos nuevas?'],
      ['contact', 'las subo el martes, me falta retocar 3'],
    ]);
    expect(summary.split('me falta retocar 3')).to.have.length(2);
    expect(summary).to.match(/»\.$/);
  });

  it('joins two tasks of one person without a comma', async () => {
    const { summary } = await read('ru', [
      ['contact', 'завтра пришлю договор'],
      ['contact', 'счёт выставлю в пятницу'],
    ]);
    expect(summary).to.include('Vera пришлёт договор завтра и выставит счёт в пятницу.');
  });

  it('names topics by their own form', async () => {
    const { structured } = await read('ru', [['contact', 'вышлю новую версию и смету завтра']]);
    expect(structured.topics).to.deep.equal(['новая версия']);
  });
});
