import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';

type Item = [owner: string, text: string, day: string | null];
/** What Vera (or, behind a dash, Anna) says on Wednesday, 28 October 2026 at nine, and the items that it leaves. */
type Row = [said: string[], items: Item[]];

const GREETINGS: Record<string, string> = {
  fr: 'Bonjour, je vous écris pour le tissu de votre magasin',
  pt: 'Bom dia, escrevo por causa dos tecidos para a sua loja',
  it: 'Buongiorno, le scrivo per i tessuti del suo negozio',
  tr: 'İyi günler, mağazanız için kumaş hakkında yazıyorum',
};

const ROWS: Record<string, Row[]> = {
  fr: [
    [['vous aurez le rapport lundi'], [['contact', 'Vera : « Vous aurez le rapport lundi »', '2026-11-02']]],
    [["mercredi c'est posé"], [['contact', "Vera : « Mercredi c'est posé »", '2026-11-04']]],
    [['le technicien passera lundi'], [['contact', 'Vera : « Le technicien passera lundi »', '2026-11-02']]],
    [
      ['il me faudrait le plan au plus tard le 30'],
      [['user', 'Vera : « Il me faudrait le plan au plus tard le 30 »', '2026-10-30']],
    ],
    [['je te tiens au courant vendredi'], [['contact', 'Tenir Anna au courant vendredi', '2026-10-30']]],
    [
      ["je te fais parvenir l'échantillon lundi"],
      [['contact', "Faire parvenir à Anna l'échantillon lundi", '2026-11-02']],
    ],
    [['je reviens vers vous lundi'], [['contact', 'Revenir lundi', '2026-11-02']]],
    [['je règle 15 % du total vendredi'], [['contact', 'Régler 15 % du total vendredi', '2026-10-30']]],
    [['tu peux me passer le plan stp'], [['user', 'Passer à Vera le plan', null]]],
    [["pense à m'envoyer la facture"], [['user', 'Envoyer à Vera la facture', null]]],
    [["je viens d'ouvrir les cartons"], []],
    [['faites au mieux'], []],
    [['il fera beau demain'], []],
    [['on verra lundi'], []],
    [['gardez les cartons, comme vous voulez'], []],
  ],
  it: [
    [
      ['glielo mando venerdì'],
      [['contact', 'Mandare venerdì («Le scrivo per i tessuti del suo negozio»)', '2026-10-30']],
    ],
    [['vi chiamo stasera dopo le 18'], [['contact', 'Chiamare Anna stasera dopo le 18', '2026-10-28']]],
    [['le farò avere il contratto lunedì'], [['contact', 'Fare avere a Anna il contratto lunedì', '2026-11-02']]],
    [['passo io a ritirarlo sabato mattina'], [['contact', 'Passare a ritirarlo sabato mattina', '2026-10-31']]],
    [['- mi prepara la lettera?', 'fatta entro mercoledì'], [['contact', 'Preparare a Anna la lettera', '2026-11-04']]],
    [
      ['i pacchi partono venerdì col corriere'],
      [['contact', 'Vera: «I pacchi partono venerdì col corriere»', '2026-10-30']],
    ],
    [['vai così!!'], []],
    [['mi fai arrossire'], []],
    [['tieni duro'], []],
    [['mi chiamo Sara'], []],
    [['ti porto le 3 bottiglie lunedì'], [['contact', 'Portare a Anna le 3 bottiglie lunedì', '2026-11-02']]],
  ],
  pt: [
    [
      ['preciso, Anna, do relatório, segunda no máximo'],
      [['user', 'Vera: “Preciso, Anna, do relatório, segunda no máximo”', '2026-11-02']],
    ],
    [['pago na sexta o frete, sem falta'], [['contact', 'Pagar na sexta o frete', '2026-10-30']]],
    [['- você me passa a lista hoje ainda?', 'passo'], [['contact', 'Passar a Anna a lista hoje ainda', '2026-10-28']]],
    [['vendo aqui'], []],
    [['mando beijo'], []],
    [['deixa eu confirmar'], []],
    [['to sem fone, escreve pfv'], []],
  ],
  tr: [
    [['çatıyı hafta sonu yaptırıyorum'], [['contact', 'Çatıyı hafta sonu yaptırmak', '2026-11-01']]],
    [['tamam, yarın kapıyı açtırırım'], [['contact', 'Yarın kapıyı açtırmak', '2026-10-29']]],
    [['raporu cuma günü teslim ederim'], [['contact', 'Raporu cuma günü teslim etmek', '2026-10-30']]],
    [["araç 17:30'da sizde olur"], [['contact', "Vera: “Araç 17:30'da sizde olur”", '2026-10-28']]],
    [
      ['adını yarın yazarım. ameliyattan önce kesmesi gerekir mi?'],
      [
        ['contact', 'Adını yarın yazmak', '2026-10-29'],
        ['user', 'Yanıtla (Vera): “Ameliyattan önce kesmesi gerekir mi?”', null],
      ],
    ],
    [
      ['- perşembe saat 10 uygun mu?', 'uygun'],
      [['user', 'Görüşme (Vera): “Perşembe saat 10 uygun mu?”', '2026-10-29']],
    ],
    [['teşekkür ederim, rica ederim'], []],
    [['kolay gelsin'], []],
    [['iyi bak kendine'], []],
  ],
};

async function itemsOf(language: string, said: string[]): Promise<Item[]> {
  const { structured } = await createBuiltInSummarizer().summarize({
    peerName: 'Vera Lindt',
    userName: 'Anna Wolska',
    isGroup: false,
    style: 'BUSINESS',
    timezone: 'UTC',
    messages: [GREETINGS[language] ?? '', ...said].map((text, id) => ({
      id,
      sentAt: new Date('2026-10-28T09:00:00Z'),
      fromUser: text.startsWith('- '),
      senderName: text.startsWith('- ') ? 'Anna Wolska' : 'Vera Lindt',
      text: text.replace(/^- /, ''),
      forwarded: false,
    })),
  });
  return structured.actionItems.map(({ owner, text, dueDate }) => [owner, text, dueDate]);
}

describe('French, Italian, Portuguese and Turkish as chats write them', () => {
  for (const [language, rows] of Object.entries(ROWS)) {
    for (const [said, items] of rows) {
      it(`${language}: ${items.length > 0 ? 'leaves to do' : 'leaves nothing to do'} after “${said.join(' ')}”`, async () => {
        expect(await itemsOf(language, said)).to.deep.equal(items);
      });
    }
  }
});
