import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';

type Said = [from: 'user' | 'contact', text: string];
/** What is said on Wednesday, 28 October 2026 at nine, and the items that it leaves: owner, text, day. */
type Row = [said: Said[], items: [owner: string, text: string, day: string | null][]];

const NAMES: Record<string, string> = { el: 'Μαρία', he: 'נועה', ar: 'سمير', ja: '田中', zh: '王芳' };

const contact = (text: string): Said[] => [['contact', text]];
const user = (text: string): Said[] => [['user', text]];

const GREEK: Row[] = [
  [
    contact('Θα σας στείλω το συμβόλαιο μέχρι την Παρασκευή'),
    [['contact', 'Μαρία: «Θα σας στείλω το συμβόλαιο μέχρι την Παρασκευή»', '2026-10-30']],
  ],
  [
    contact('στειλε μου το τιμολογιο πριν τις 5 Νοεμβριου'),
    [['user', 'Μαρία: «Στειλε μου το τιμολογιο πριν τις 5 Νοεμβριου»', '2026-11-04']],
  ],
  [
    contact('Μπορείτε να μου επιβεβαιώσετε την παραλαβή;'),
    [['user', 'Μαρία: «Μπορείτε να μου επιβεβαιώσετε την παραλαβή;»', null]],
  ],
  [user('θα το κοιτάξω αύριο και θα σε πάρω'), [['user', 'Anna: «Θα το κοιτάξω αύριο και θα σε πάρω»', '2026-10-29']]],
  [
    contact('Χρειαζόμαστε την προσφορά μέχρι 3 Νοεμβρίου'),
    [['user', 'Μαρία: «Χρειαζόμαστε την προσφορά μέχρι 3 Νοεμβρίου»', '2026-11-03']],
  ],
  [contact('Καλημέρα σας, τι κάνετε;'), []],
  [contact('ένα λεπτό, το κοιτάω τώρα'), []],
  [contact('Δεν μπορούμε να πληρώσουμε αυτόν τον μήνα'), []],
  [
    [...contact('στείλε μου την προσφορά όποτε μπορείς'), ...user('Την προσφορά θα την έχετε μέχρι τη Δευτέρα')],
    [['user', 'Anna: «Την προσφορά θα την έχετε μέχρι τη Δευτέρα»', '2026-11-02']],
  ],
  [[...contact('στείλε μου το τιμολόγιο'), ...user('το έστειλα μόλις τώρα')], []],
];

const HEBREW: Row[] = [
  [contact('אשלח לך את החוזה עד יום שני'), [['contact', 'נועה: “אשלח לך את החוזה עד יום שני”', '2026-11-02']]],
  [
    contact('תוכלי לשלוח לי את החשבונית קודם ל-3 בנובמבר?'),
    [['user', 'נועה: “תוכלי לשלוח לי את החשבונית קודם ל-3 בנובמבר?”', '2026-11-02']],
  ],
  [user('נבדוק ונחזור אליך מחר בבוקר'), [['user', 'Anna: “נבדוק ונחזור אליך מחר בבוקר”', '2026-10-29']]],
  [
    contact('אנחנו צריכים את ההצעה עד 5 בנובמבר'),
    [['user', 'נועה: “אנחנו צריכים את ההצעה עד 5 בנובמבר”', '2026-11-05']],
  ],
  [contact('בוקר טוב, מה שלומך?'), []],
  [contact('רגע, בודקת עכשיו'), []],
  [contact('לצערי לא נוכל לשלם החודש'), []],
  [[...contact('תשלחי לי בבקשה את המצגת'), ...user('שלחתי במייל')], []],
];

const ARABIC: Row[] = [
  [contact('سأرسل لك العقد قبل يوم الاثنين'), [['contact', 'سمير: «سأرسل لك العقد قبل يوم الاثنين»', '2026-11-01']]],
  [contact('ارجو ارسال الفاتورة يوم الخميس'), [['user', 'سمير: «ارجو ارسال الفاتورة يوم الخميس»', '2026-10-29']]],
  [contact('هل يمكنك تأكيد الموعد؟'), [['user', 'سمير: «هل يمكنك تأكيد الموعد؟»', null]]],
  [user('سنحول المبلغ في ٥ نوفمبر'), [['user', 'Anna: «سنحول المبلغ في ٥ نوفمبر»', '2026-11-05']]],
  [contact('السلام عليكم، كيف حالك؟'), []],
  [contact('للأسف لن نتمكن من الدفع هذا الشهر'), []],
  [[...contact('من فضلك أرسل لي عرض السعر'), ...user('تم الإرسال')], []],
];

const JAPANESE: Row[] = [
  [
    contact('契約書は11月2日までにお送りいたします。'),
    [['contact', '田中：「契約書は11月2日までにお送りいたします。」', '2026-11-02']],
  ],
  [
    contact('請求書を金曜日までに送っていただけますか。'),
    [['user', '田中：「請求書を金曜日までに送っていただけますか。」', '2026-10-30']],
  ],
  [
    contact('至急、納品書の再発行をお願いいたします。'),
    [['user', '田中：「至急、納品書の再発行をお願いいたします。」', null]],
  ],
  [
    user('社内で確認して、明日ご連絡いたします'),
    [['user', 'Anna：「社内で確認して、明日ご連絡いたします」', '2026-10-29']],
  ],
  [contact('田中様、いつもお世話になっております。よろしくお願いいたします。'), []],
  [contact('少々お待ちください。'), []],
  [contact('申し訳ございませんが、今月中のお支払いはできません。'), []],
  [[...contact('カタログを送ってください。'), ...user('先ほどお送りしました。')], []],
];

const CHINESE: Row[] = [
  [contact('我明天把合同发给你'), [['contact', '王芳：“我明天把合同发给你”', '2026-10-29']]],
  [contact('麻烦您下周一之前付定金'), [['user', '王芳：“麻烦您下周一之前付定金”', '2026-11-02']]],
  [contact('请确认一下收货地址'), [['user', '王芳：“请确认一下收货地址”', null]]],
  [user('我们会在11月5日之前发货'), [['user', 'Anna：“我们会在11月5日之前发货”', '2026-11-05']]],
  [contact('你好，早上好！'), []],
  [contact('稍等，我看一下'), []],
  [contact('价格太高，我们不能接受'), []],
  [[...contact('请把报价发给我'), ...user('已发，请查收')], []],
];

async function read(language: string, said: Said[]) {
  const name = NAMES[language] ?? '';
  return createBuiltInSummarizer().summarize({
    peerName: name,
    userName: 'Anna Wolska',
    isGroup: false,
    style: 'BUSINESS',
    timezone: 'UTC',
    messages: said.map(([from, text], id) => ({
      id,
      sentAt: new Date('2026-10-28T09:00:00Z'),
      fromUser: from === 'user',
      senderName: from === 'user' ? 'Anna Wolska' : name,
      text,
      forwarded: false,
    })),
  });
}

const ALL = { el: GREEK, he: HEBREW, ar: ARABIC, ja: JAPANESE, zh: CHINESE };

describe('the built-in summarizer in languages that it reads by cues alone', () => {
  for (const [language, rows] of Object.entries(ALL)) {
    for (const [said, items] of rows) {
      it(`${items.length > 0 ? 'leaves to do' : 'leaves nothing to do'} after "${said.map(([, text]) => text).join(' – ')}"`, async () => {
        const { structured } = await read(language, said);
        const found = structured.actionItems.map(({ owner, text, dueDate }) => [owner, text, dueDate]);
        expect(found).to.deep.equal(items);
      });
    }
  }

  it('pairs a Japanese question without a question mark with its own answer', async () => {
    const { summary, structured } = await read('ja', [
      ...contact('取扱説明書の英語版はございますか。'),
      ...user('現在翻訳中です。11月25日までにお送りいたします。'),
      ...contact('承知いたしました。次回の会議では価格についてご相談させてください。'),
      ...user('かしこまりました。'),
    ]);
    expect(summary).to.include('質問：「取扱説明書の英語版はございますか。」 Annaの回答：「');
    expect(structured.actionItems).to.have.length(1);
    expect(structured.actionItems[0]?.text).to.equal(
      'Anna：「11月25日までにお送りいたします。」 (「取扱説明書の英語版はございますか。」)',
    );
  });

  it('uses no English words between quotations', async () => {
    const rows: [string, Said[]][] = [
      ['el', contact('Πότε φτάνει η παραγγελία μας;')],
      ['he', contact('מתי מגיע המשלוח שלנו?')],
      ['ar', contact('متى يصل الشحن إلى المستودع؟')],
      ['ja', contact('納期はいつ頃でしょうか。')],
      ['zh', contact('这批货什么时候能到？')],
    ];
    for (const [language, said] of rows) {
      const { summary, structured } = await read(language, said);
      const own = [summary, ...structured.actionItems.map(({ text }) => text)].join(' ').replaceAll('Anna', '');
      expect(own).to.not.match(/\p{Script=Latin}/u);
      expect(structured.actionItems).to.have.length(1);
    }
  });

  it('reads the hour of a Japanese and a Chinese day, but not that of another time zone', async () => {
    const timeOf = async (language: string, text: string) =>
      (await read(language, contact(text))).structured.actionItems[0]?.dueTime;
    expect(await timeOf('ja', '明日の午後3時までに送ってください。')).to.equal('15:00');
    expect(await timeOf('ja', '明日の17時(日本時間)までに送ってください。')).to.equal(null);
    expect(await timeOf('zh', '请明天下午2点半之前发给我')).to.equal('14:30');
  });

  it('reads a message of another script within an English conversation', async () => {
    const { structured } = await read('ja', [
      ...user('Hi, could we see the drawings, please? We need them for the tender with all the measures.'),
      ...contact('図面は金曜日までにお送りいたします。'),
    ]);
    expect(structured.actionItems.map(({ owner, dueDate }) => [owner, dueDate])).to.deep.equal([
      ['contact', '2026-10-30'],
    ]);
  });
});
