import { expect } from 'chai';
import type { SummaryRequest } from '../../../src/clients/summarizer/types.ts';
import { digestOf } from '../../support/ai/model.ts';
import { eachAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

describe('Dates of the AI summarizer', () => {
  const service = eachAiService();

  type Claim = { dueText: string | null; dueDate: string | null };
  const claim = (dueText: string, dueDate: string): Claim => ({ dueText, dueDate });
  async function dueOf(message: string, claim: Claim, change: Partial<SummaryRequest> = {}): Promise<(string | null)[]> {
    const task = { text: 'Do what was asked', owner: 'user', ownerName: null, lines: [1], ...claim };
    service.ai.script(() => digestOf('s', [task]));
    const { structured } = await service.summarizer.summarize(conversation([`Eve: ${message}`], change));
    const [item] = structured.actionItems;
    return [item?.dueText ?? null, item?.dueDate ?? null];
  }

  const cases: [string, string, Claim, (string | null)[]][] = [
    ['are counted by us', 'Please send it by Friday.', claim('by Friday', '2026-11-27'), ['by Friday', '2026-11-20']],
    ['are dropped when nobody said them', 'Please send it.', claim('by tomorrow noon', '2026-11-18'), [null, null]],
    ['are found in the message', 'Send it by Friday.', claim('before the weekend', '2026-11-21'), ['Friday', '2026-11-20']],
    ['are of the week that was said', 'You hear this week.', claim('this week', '2026-11-27'), ['this week', '2026-11-20']],
    ['are the last day', 'Send it before Friday.', claim('before Friday', '2026-11-20'), ['before Friday', '2026-11-19']],
  ];
  for (const [name, message, claimed, expected] of cases) {
    it(name, async () => {
      expect(await dueOf(message, claimed)).to.deep.equal(expected);
    });
  }

  it('are counted from the day it was where the user lives', async () => {
    const claim = { dueText: 'tomorrow', dueDate: null };
    expect(await dueOf('Please call me tomorrow.', claim, { timezone: 'Pacific/Kiritimati' })).to.include('2026-11-18');
    const late = conversation(['Eve: x']).messages.map(message => ({
      ...message,
      sentAt: new Date('2026-11-17T22:30:00Z'),
      text: 'Please call me tomorrow.',
    }));
    const at = (timezone: string) => dueOf('', claim, { messages: late, timezone });
    expect(await at('Europe/London')).to.include('2026-11-18');
    expect(await at('Asia/Tokyo')).to.include('2026-11-19');
  });

  it('are the next such weekday when the model’s is past by the day of the digest', async () => {
    const claim = { dueText: 'on Thursday', dueDate: '2026-11-26' };
    expect(await dueOf('Come on Thursday, please.', claim, { today: '2026-11-21' })).to.include('2026-11-26');
    expect(await dueOf('Come on Thursday, please.', claim, { today: '2026-11-18' })).to.include('2026-11-19');
  });

  it('are those of a promise that the model names twice, once without', async () => {
    const task = { text: 'Send the offer', owner: 'user', ownerName: null, lines: [1], dueText: null, dueDate: null };
    service.ai.script(() => digestOf('s', [task, { ...task, ...claim('by Friday', '2026-11-20') }, task]));
    const { structured } = await service.summarizer.summarize(conversation(['Eve: Please send the offer by Friday.']));
    expect(structured.actionItems.map(({ dueDate }) => dueDate)).to.deep.equal(['2026-11-20']);
  });

  it('leave out meetings that are past', async () => {
    const meeting = { text: 'Meeting with Eve', dateText: 'on Thursday', date: null, lines: [1] };
    service.ai.script(() => digestOf('s', [], { meetings: [meeting] }));
    const lines = ['Eve: Let us meet on Thursday at 10:00.'];
    const meetingsOf = async (today: string) =>
      (await service.summarizer.summarize(conversation(lines, { today }))).structured.meetings;
    expect(await meetingsOf('2026-11-19')).to.deep.equal([{ text: 'Meeting with Eve', date: '2026-11-19' }]);
    expect(await meetingsOf('2026-11-20')).to.deep.equal([]);
  });

  it('of what is owed in a group are those of who owes it or began it, not of whoever else is cited', async () => {
    const lines = ['Eve: Sam, can you send me the signed contract?', 'Sam: Sure', 'Mallory: Move it to 24 December'];
    const task = { text: 'Send the signed contract', owner: 'user', ownerName: null, lines: [1, 2, 3] };
    const claim = { dueText: '24 December', dueDate: '2026-12-24' };
    const dayOf = async (said: string[]) => {
      service.ai.script(() => digestOf('s', [{ ...task, ...claim }]));
      const { structured } = await service.summarizer.summarize(conversation(said, { isGroup: true }));
      return structured.actionItems.map(({ dueDate }) => dueDate);
    };
    expect(await dayOf(lines)).to.deep.equal([null]);
    expect(await dayOf([...lines.slice(0, 2), 'Eve: By 24 December please'])).to.deep.equal(['2026-12-24']);
  });
});
