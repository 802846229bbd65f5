import { expect } from 'chai';
import { type QuotedItem, quoteItems } from '../../../../src/clients/summarizer/builtIn/excerpt/quoteItems.ts';
import { shownText } from '../../../../src/clients/summarizer/builtIn/excerpt/shown.ts';
import { readAll } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { SummaryRequest } from '../../../../src/clients/summarizer/types.ts';
import { conversation } from '../conversations.ts';

async function itemsOf(request: SummaryRequest): Promise<QuotedItem[]> {
  return quoteItems(await readAll(request));
}

async function found(lines: string[], change: Partial<SummaryRequest> = {}) {
  const items = await itemsOf(conversation(lines, change));
  return items.map(({ item }) => item);
}

const REFUSED: Record<string, string[]> = {
  en: ['Nadia: could we get 15% off if we take two years?', 'Sam: no sorry, 15 is not possible', 'Nadia: ok, fine'],
  de: ['Nadia: gehen da noch 10% Rabatt?', 'Sam: nein, da geht leider nichts mehr', 'Nadia: ok schade'],
  es: ['Nadia: nos puedes hacer un 10% de descuento?', 'Sam: no, lo siento, no puedo', 'Nadia: vale'],
  fr: ['Nadia: vous pouvez faire 10% de remise ?', 'Sam: non désolé, pas possible', 'Nadia: ok'],
  pt: ['Nadia: dá pra fazer 10% de desconto?', 'Sam: não, infelizmente não dá', 'Nadia: ok'],
  ru: ['Nadia: сделаете скидку 10%?', 'Sam: нет, к сожалению, не можем', 'Nadia: понятно'],
};

const TAKEN_ON: Record<string, string[]> = {
  en: ['Nadia: can you send me the signed contract by Friday?', 'Sam: will do'],
  de: ['Nadia: kannst du mir bis Freitag den Vertrag schicken?', 'Sam: mach ich'],
  es: ['Nadia: me mandas el contrato firmado el viernes?', 'Sam: sí, claro'],
  fr: ['Nadia: tu peux m’envoyer le contrat signé vendredi ?', 'Sam: oui, bien sûr'],
  pt: ['Nadia: você me manda o contrato assinado até sexta?', 'Sam: sim, claro'],
  ru: ['Nadia: пришлёшь мне договор до пятницы?', 'Sam: да, конечно'],
};

const DONE: Record<string, string[]> = {
  en: [
    'Nadia: can you send me the contract today?',
    'Sam: yes, after lunch',
    'Sam: [file: contract.pdf]',
    'Nadia: got it, thanks',
  ],
  de: [
    'Nadia: schickst du mir heute den Vertrag?',
    'Sam: ja, nach dem Mittag',
    'Sam: [file: vertrag.pdf]',
    'Nadia: danke, ist da',
  ],
  es: [
    'Nadia: me mandas hoy el contrato?',
    'Sam: sí, después de comer',
    'Sam: [file: contrato.pdf]',
    'Nadia: recibido, gracias',
  ],
  fr: [
    'Nadia: tu m’envoies le contrat aujourd’hui ?',
    'Sam: oui, après le déjeuner',
    'Sam: [file: contrat.pdf]',
    'Nadia: bien reçu, merci',
  ],
  pt: [
    'Nadia: me manda o contrato hoje?',
    'Sam: sim, depois do almoço',
    'Sam: [file: contrato.pdf]',
    'Nadia: recebi, obrigada',
  ],
  ru: [
    'Nadia: пришлёшь сегодня договор?',
    'Sam: да, после обеда',
    'Sam: [file: dogovor.pdf]',
    'Nadia: получила, спасибо',
  ],
};

const PAYS: Record<string, string[]> = {
  en: ['Nadia: the tax office again', 'Nadia: my brother pays it on Friday, he said'],
  de: ['Nadia: wieder das Finanzamt', 'Nadia: mein Bruder zahlt das am Freitag, sagt er'],
  es: ['Nadia: otra vez hacienda', 'Nadia: mi hermano lo paga el viernes'],
  fr: ['Nadia: encore les impôts', 'Nadia: mon frère les paie vendredi'],
  pt: ['Nadia: de novo o imposto', 'Nadia: meu irmão paga na sexta'],
  ru: ['Nadia: опять налоговая', 'Nadia: мой брат оплатит в пятницу'],
};

describe('commitments in people’s own words', () => {
  for (const [language, lines] of Object.entries(REFUSED))
    it(`makes nobody’s commitment of a refused discount (${language})`, async () => {
      expect(await found(lines)).to.deep.equal([]);
    });

  for (const [language, lines] of Object.entries(TAKEN_ON))
    it(`shows "will do" with what it answers (${language})`, async () => {
      const items = await found(lines);
      expect(items).to.have.length(1);
      const words = lines.map(line => line.slice(line.indexOf(': ') + 2));
      expect(items[0]).to.include({ text: words[1], owner: 'user' });
      expect(items[0]?.request).to.include({ words: words[0], who: 'Nadia', fromUser: false });
      expect(items[0]?.dueDate, 'the day of the request').to.be.a('string');
    });

  for (const [language, lines] of Object.entries(DONE))
    it(`leaves out what was done the same day (${language})`, async () => {
      expect(await found(lines)).to.deep.equal([]);
    });

  for (const [language, lines] of Object.entries(PAYS))
    it(`makes what a third person pays no commitment of the user (${language})`, async () => {
      const owners = (await found(lines)).map(({ owner }) => owner);
      expect(owners).to.not.include('user');
    });

  it('leaves to a colleague what the colleague takes over', async () => {
    const items = await found(
      [
        'Nadia: Sam can you send the price list to the client by Thursday?',
        'Rob: I’ll send it, Sam is on holiday. Wednesday latest',
        'Nadia: perfect Rob',
      ],
      { isGroup: true },
    );
    expect(items.map(({ owner }) => owner)).to.not.include('user');
  });

  it('quotes each item from one message of whoever said it', async () => {
    for (const lines of [...Object.values(TAKEN_ON), ...Object.values(PAYS)]) {
      const request = conversation(lines);
      for (const { item, said } of await itemsOf(request)) {
        const message = request.messages.find(({ id }) => String(id) === said.messageId);
        expect(shownText(message?.text ?? '')).to.include(item.text.replaceAll(/^… | …$/g, ''));
        expect(said.fromUser).to.equal(message?.fromUser);
        expect(message?.senderName.startsWith(said.who)).to.equal(true);
      }
    }
  });

  it('quotes the sentence that binds of a long message', async () => {
    const long =
      'Morning, hope the weekend was good, ours was wet and far too short as usual. I’ll send you the corrected invoice on Friday. ' +
      'And say hello to your father from me, we still talk about that dinner in the old town last summer';
    const [item] = await found([`Nadia: ${long}`, 'Sam: great, thanks']);
    expect(item?.text).to.include('I’ll send you the corrected invoice on Friday');
    expect(item?.text.length).to.be.below(long.length);
    expect(long).to.include(item?.text.replaceAll(/^… | …$/g, ''));
  });

  it('makes no commitment of a sentence with a secret', async () => {
    const items = await found(['Nadia: can you pay it by Friday? the password is hunter2secret99', 'Sam: will do']);
    expect(JSON.stringify(items)).to.not.include('hunter2secret99');
  });
});

describe('A message that asks for something', () => {
  it('may promise something, too, which its answer does not settle', async () => {
    const items = await found([
      'Nadia: I will pay the invoice tomorrow morning. Please send me an offer for 20 more sensors.',
      "Sam: Great, I'll send you the offer on Monday",
    ]);
    expect(items.map(({ owner }) => owner)).to.deep.equal(['contact', 'user']);
  });

  it('is answered once for all that it asks for', async () => {
    const items = await found([
      'Nadia: Have you called the restaurant yet? And you wanted to order the cake.',
      "Sam: Yes yes. Cake and restaurant, I'll text you tomorrow evening",
    ]);
    expect(items.map(({ sourceMessageIds }) => sourceMessageIds.length)).to.deep.equal([2]);
  });
});

describe('A threat with a day', () => {
  const THREATS: Record<string, string[]> = {
    en: [
      'Nadia: Nothing has arrived',
      'Nadia: I want the tags replaced by tomorrow and a credit note, or we cancel the contract',
      'Nadia: Still no answer?',
    ],
    'in so many words': ['Nadia: If the delivery is not here by tomorrow, we cancel the contract'],
    de: ['Nadia: Die Heizung ist immer noch kalt', 'Nadia: Wenn sie bis morgen nicht läuft, kündigen wir den Vertrag'],
  };
  for (const [language, lines] of Object.entries(THREATS))
    it(`is a deadline of whoever is threatened: ${language}`, async () => {
      const [item, ...more] = (await found(lines)).filter(({ dueDate }) => dueDate !== null);
      expect(more).to.deep.equal([]);
      expect(item).to.include({ kind: 'deadline', owner: 'user' });
    });

  it('is none without a day, nor once it is taken back', async () => {
    expect((await found(['Nadia: Otherwise we cancel the contract'])).some(({ kind }) => kind === 'deadline')).to.equal(
      false,
    );
    const lines = [
      'Nadia: If it is not here by tomorrow, we cancel the contract',
      'Sam: it is at your door',
      'Nadia: ok, thanks',
    ];
    expect((await found(lines)).some(({ kind }) => kind === 'deadline')).to.equal(false);
  });
});

describe('Whose an item is', () => {
  it('is not the other side’s debt, where the user says that a colleague does it', async () => {
    const lines = [
      'Nadia: I need the list of shareholders from you by Friday',
      'Sam: Jule sends the list of shareholders today',
    ];
    const items = await found(lines);
    expect(items.filter(({ owner }) => owner === 'contact')).to.deep.equal([]);
  });

  it('is not the other side’s where the user proposed it and no one took it on', async () => {
    const items = await found(['Nadia: обновились 50 из 50', 'Sam: Прекрасная новость! Тогда завтра следующие 300']);
    expect(items.filter(({ owner }) => owner === 'contact')).to.deep.equal([]);
  });

  it('has no request that neither asks nor shares a word with what binds', async () => {
    const lines = [
      'Sam: 5.500 foi o que a gente combinou',
      'Nadia: verdade, 5500, confundi com outro job',
      'Sam: pago a entrada amanhã',
    ];
    const item = (await found(lines)).find(({ text }) => text === 'pago a entrada amanhã');
    expect(item).to.not.equal(undefined);
    expect(item).to.not.have.property('request');
  });
});
