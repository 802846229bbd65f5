import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

/** In each: "can you send the contract by Friday?", "yes", "the customer is unhappy, it is urgent", "how much is the renewal?" */
const DAYS: Record<string, [request: string, yes: string, unhappy: string, question: string]> = {
  en: [
    'Can you send me the contract by Friday?',
    'Yes of course.',
    'The customer is disappointed, this is urgent!',
    'What does the renewal cost?',
  ],
  de: [
    'Kannst du mir den Vertrag bis Freitag schicken?',
    'Ja klar.',
    'Der Kunde ist enttäuscht, es ist dringend!',
    'Was kostet die Verlängerung?',
  ],
  es: [
    '¿Puedes enviarme el contrato para el viernes?',
    'Sí, claro.',
    'El cliente está decepcionado, es urgente.',
    '¿Cuánto cuesta la renovación?',
  ],
  it: [
    'Puoi mandarmi il contratto entro venerdì?',
    'Sì, certo.',
    'Il cliente è deluso, è urgente!',
    'Quanto costa il rinnovo?',
  ],
  pt: [
    'Você pode enviar o contrato até sexta-feira?',
    'Sim, claro.',
    'O cliente está decepcionado, é urgente!',
    'Quanto custa a renovação?',
  ],
  ru: ['Пришлёшь мне договор до пятницы?', 'Да, конечно.', 'Клиент недоволен, это срочно!', 'Сколько стоит продление?'],
  uk: [
    'Надішлеш мені договір до п’ятниці?',
    'Так, звісно.',
    'Клієнт незадоволений, це терміново!',
    'Скільки коштує продовження?',
  ],
  pl: [
    'Wyślesz mi umowę do piątku?',
    'Tak, jasne.',
    'Klient jest niezadowolony, to pilne!',
    'Ile kosztuje przedłużenie?',
  ],
  tr: ['Sözleşmeyi cumaya kadar gönderir misin?', 'Evet, tabii.', 'Müşteri çok kızgın, bu acil!', 'Yenileme ne kadar?'],
  el: [
    'Μπορείς να στείλεις το συμβόλαιο μέχρι την Παρασκευή;',
    'Ναι, βεβαίως.',
    'Ο πελάτης είναι δυσαρεστημένος, είναι επείγον!',
    'Πόσο κοστίζει η ανανέωση;',
  ],
  he: ['אתה יכול לשלוח את החוזה עד יום שישי?', 'כן, בטח.', 'הלקוח מאוד מאוכזב, זה דחוף!', 'כמה עולה החידוש?'],
  ar: ['هل يمكنك إرسال العقد يوم الجمعة؟', 'نعم، أكيد.', 'العميل غاضب جداً، الأمر عاجل!', 'كم تكلفة التجديد؟'],
  ja: [
    '金曜日までに契約書を送っていただけますか？',
    'はい、承知しました。',
    'お客様がとても不満で、至急です！',
    '更新の費用はいくらですか？',
  ],
  zh: ['你能在周五之前把合同发给我吗？', '好的，没问题。', '客户非常不满，很紧急！', '续约要多少钱？'],
};

describe('the languages of the built-in summarizer', () => {
  for (const [language, [request, yes, unhappy, question]] of Object.entries(DAYS)) {
    it(`reads requests, dates, urgency, deals and open questions in "${language}"`, async () => {
      const lines = [`Farid: ${request}`, `Sam: ${yes}`, `Farid: ${unhappy}`, `Farid: ${question}`];
      const { summary, structured } = await summarizer.summarize(conversation(lines));
      const [asked, open] = structured.actionItems;
      expect(structured).to.include({ language, urgency: 'low' });
      expect(structured.actionItems).to.have.length(2);
      expect(asked).to.include({ owner: 'user', dueDate: '2026-11-20' });
      expect(asked?.sourceMessageIds).to.deep.equal(['1', '2']);
      expect(open).to.include({ owner: 'user', dueDate: null });
      expect(open?.text).to.equal(question);
      expect(structured.dealSignals).to.include('contract');
      expect(summary).to.include('Farid');
    });
  }

  const OTHERS: Record<string, string> = {
    nl: 'De klant vraagt om korting op de levering. Kun je mij het contract sturen?',
    ko: '고객이 할인을 원합니다. 계약서를 보내 주시겠어요?',
    hi: 'ग्राहक छूट चाहता है। क्या आप अनुबंध भेज सकते हैं?',
  };
  for (const [language, text] of Object.entries(OTHERS)) {
    it(`quotes "${language}" as it is and keeps its open question`, async () => {
      const { summary, structured } = await summarizer.summarize(conversation([`Farid: ${text}`]));
      expect(structured.language).to.equal(language);
      const [first = '', second = ''] = text.split(/(?<=[.。।])\s*/u);
      expect([first, second].some(sentence => summary.includes(sentence))).to.equal(true);
      expect(structured.actionItems).to.have.length(1);
      expect(structured.actionItems[0]?.text).to.equal(text);
    });
  }

  it('reads a message in another language than its day by the words of that language', async () => {
    const lines = [
      'Farid: Guten Morgen, das Angebot ist fertig und liegt bei der Geschäftsführung.',
      'Sam: Danke dir, das klingt gut und passt für uns.',
      'Farid: Could you please send the signed contract to our legal team by Friday?',
    ];
    const { structured } = await summarizer.summarize(conversation(lines));
    expect(structured.language).to.equal('de');
    expect(structured.actionItems[0]).to.include({ owner: 'user', dueText: 'by Friday', dueDate: '2026-11-20' });
  });
});
