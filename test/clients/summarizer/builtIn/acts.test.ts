import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

type Case = [lines: string[], items: string[]];

/** What is left to do after these lines, said on a Tuesday, as "owner: task". */
const LEFT: Record<string, Case[]> = {
  promises: [
    [["Sam: I'll send you the price list tomorrow."], ['user: Send Ann the price list']],
    [['Ann: we will ship the samples on thursday'], ['contact: Ship the samples on Thursday']],
    [['Sam: ill call the bank about the loan'], ['user: Call the bank about the loan']],
    [["Ann: You'll have my comments by Friday."], ['contact: Send Sam the comments by Friday']],
    [['Sam: will forward the signed lease tonight'], ['user: Forward the signed lease']],
    [['Ann: I am going to book the room for the workshop'], ['contact: Book the room for the workshop']],
    [['Ann: the poster i finish by friday'], ['contact: Finish the poster by Friday']],
  ],
  requests: [
    [['Ann: Could you review the lease before Friday?'], ['user: Review the lease before Friday']],
    [['Sam: pls send me the floor plan'], ['contact: Send Sam the floor plan']],
    [['Ann: Please confirm the delivery address by Monday.'], ['user: Confirm the delivery address by Monday']],
    [["Sam: Don't forget to pay the customs fee."], ['contact: Pay the customs fee']],
    [['Ann: I need the final budget by Wednesday.'], ['user: Give Ann the final budget by Wednesday']],
  ],
  'what was settled': [
    [['Ann: Can you send me the invoice?', 'Sam: [file: invoice.pdf]'], []],
    [['Ann: Could you check the heating?', 'Sam: Done, it works again.'], []],
    [["Sam: I'll call the plumber.", 'Ann: Great', 'Sam: called him, he fixed it'], []],
    [['Ann: Could you come on Sunday?', "Sam: No, sorry, I can't."], []],
    [['Ann: What is the address?', 'Sam: 12 Mill Lane.'], []],
  ],
  'what binds nobody': [
    [['Ann: One second, let me see.'], []],
    [['Ann: Looking at it right now'], []],
    [['Ann: If it rains I will bring a tent.'], []],
    [['Ann: Maybe we should grab a coffee some day.'], []],
    [['Ann: Let me know if you ever need anything.'], []],
    [['Ann: Have a great weekend!', 'Sam: You too'], []],
    [["Ann: I won't sign anything."], []],
    [["Sam: I'm happy with it, I think it is good."], []],
  ],
  'questions nobody answered': [
    [['Ann: How many chairs fit into the hall?'], ['user: Answer Ann: “How many chairs fit into the hall?”']],
    [
      ['Sam: Thanks!', 'Ann: You are welcome. Which color should the logo have?'],
      ['user: Answer Ann: “Which color should the logo have?”'],
    ],
  ],
  'how long, after when, and what is over, which are no days to act by': [
    [['Ann: I need the keys back. The lease runs 12 weeks.'], []],
    [['Sam: Production of the racks starts 3 weeks later.'], []],
    [['Ann: Please call me after Monday.'], ['user: Call Ann after Monday']],
    [['Ann: Could you check the meter of 10 October?'], ['user: Check the meter of 10 October']],
  ],
  'words that stand where tasks do': [
    [['Ann: Please note that the gate closes at the weekend.'], []],
    [['Ann: The guard is informed, ask for Mr Lund.'], []],
    [['Sam: I propose 11 December for the party.'], ['contact: Answer Sam: “I propose 11 December for the party.”']],
    [['Ann: Our flights leave on 30 November.'], []],
    [["Ann: I'll be ten on May 1st."], []],
  ],
  'tasks that say what they are about': [
    [
      ['Ann: And please a written report on the leak by Monday.'],
      ['user: Give Ann a written report on the leak by Monday'],
    ],
    [["Ann: The toner is empty. I'll order it on Thursday."], ['contact: Order the toner on Thursday']],
    [['Ann: Clause 4: please put 75 percent.'], ['user: Put 75 percent in clause 4']],
    [
      ['Ann: I need from you by Monday: the floor plan and a list of rooms.'],
      ['user: Ann needs from Sam by Monday: the floor plan and a list of rooms'],
    ],
    [
      ['Ann: Balance due 300 euros, please by 1 December'],
      ['user: Ann: “Balance due 300 euros, please by 1 December”'],
    ],
    [
      ['Ann: I want the tags replaced by Friday, or we end the contract.'],
      ['user: Ann wants the tags replaced by Friday, or they end the contract'],
    ],
    [['Ann: Call me back when you can.'], ['user: Call Ann back']],
    [
      ["Sam: Claire's visit is fixed. I'll let you know the hour on Friday."],
      ['user: Let Ann know the hour on Friday'],
    ],
  ],
  'questions that were answered in passing': [
    [['Ann: Is this the housekeeper?', 'Sam: Yes madam, may I help you?', 'Ann: No, thanks.'], []],
    [['Ann: One way or round trip to Leeds?', 'Sam: One way.'], []],
    [['Ann: What about the money? Do you have any budget?', 'Sam: Two pounds a week.'], []],
  ],
  'explanations and wishes in the form of tasks': [
    [['Sam: You can log in, choose a category and order the goods.'], []],
    [['Sam: I want you to know that I like the house.'], []],
    [['Ann: I am not sure which one I will buy.'], []],
    [['Sam: We will need chairs and a stage.'], []],
  ],
  'a wording that was promised and then written': [
    [
      [
        "Sam: I'll write you one sentence for the contract today.",
        'Sam: "The seller replaces broken tags within a week." Ok like this?',
      ],
      [],
    ],
  ],
  'a request that was accepted, once': [
    [['Ann: Can you scan the lease?', "Sam: Sure, I'll scan the lease tonight."], ['user: Scan the lease']],
    [['Ann: Please translate the menu by Friday.', 'Sam: will do 👍'], ['user: Translate the menu by Friday']],
  ],
  German: [
    [['Sam: ich schick dir morgen den Vertrag'], ['user: Ann morgen den Vertrag schicken']],
    [['Ann: Kannst du die Rechnung bis Freitag prüfen?'], ['user: Die Rechnung bis Freitag prüfen']],
    [['Ann: ruf mich bitte am Montag an'], ['user: Ann am Montag anrufen']],
  ],
  Russian: [
    [['Sam: завтра пришлю вам договор на подпись'], ['user: Прислать договор на подпись']],
    [['Ann: Проверьте, пожалуйста, смету до пятницы'], ['user: Проверить смету до пятницы']],
  ],
  Spanish: [
    [['Ann: Hablamos del 22%, que es el margen.'], []],
    [['Sam: te envío el contrato el viernes por la tarde'], ['user: Enviar a Ann el contrato el viernes por la tarde']],
    [['Ann: ¿Puedes revisar el presupuesto antes del jueves?'], ['user: Revisar el presupuesto antes del jueves']],
  ],
};

describe('what the built-in summarizer considers left to do', () => {
  for (const [group, cases] of Object.entries(LEFT)) {
    for (const [lines, items] of cases) {
      it(`${group}: ${lines.join(' / ')}`, async () => {
        const { structured } = await summarizer.summarize(conversation(lines, { peerName: 'Ann' }));
        const left = structured.actionItems.map(({ owner, text }) => `${owner}: ${text}`);
        expect(left).to.deep.equal(items);
      });
    }
  }

  it('keeps each sentence of a summary with the messages it rests on', async () => {
    const lines = ['Ann: Can you send me the lease by Friday?', 'Sam: Sure', 'Ann: The rent stays at 900.'];
    const { summary, sentences = [] } = await summarizer.summarize(conversation(lines));
    expect(sentences.map(({ text }) => text).join(' ')).to.equal(summary);
    expect(sentences.find(({ text }) => text.startsWith('Sam will send'))?.sourceMessageIds).to.include('1');
  });

  it('says since when, where the messages span several days', async () => {
    const { messages, ...request } = conversation([
      'Ann: The crane is broken.',
      'Sam: The new crane costs 9000 euros.',
    ]);
    const days = messages.map((message, at) => ({ ...message, sentAt: new Date(Date.UTC(2026, 10, 7 + 3 * at, 9)) }));
    expect((await summarizer.summarize({ ...request, messages: days })).summary).to.match(/ \(Since 7 Nov\)$/);
  });
});
