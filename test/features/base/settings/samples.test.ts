import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import { SUMMARY_STYLES } from '../../../../src/clients/summarizer/types.ts';
import { presentStyles } from '../../../../src/features/base/settings/present.ts';
import { wordsOf } from '../../../support/pages.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

/** The day that the samples show. */
const DAY: [time: string, who: 'Farid' | 'You', text: string][] = [
  ['09:12', 'Farid', 'They need the signed data agreement by Monday, or they open a new tender'],
  ['09:20', 'You', 'I’ll send you the signed copy on Friday'],
  ['10:40', 'Farid', '€18,400 a year is fine with us. Can we have a kick-off call next week?'],
  ['10:52', 'You', 'Yes, Tuesday at 10 works'],
  ['12:30', 'Farid', 'Who will be our contact during the rollout?'],
  ['12:41', 'You', 'Tim, from the first day'],
  ['14:05', 'Farid', 'Do the tags also work at -30?'],
  ['14:11', 'You', 'Down to -40, yes'],
  ['16:20', 'Farid', 'Is the siren part of the offer?'],
  ['16:33', 'You', 'No, it’s €95 each'],
];
const MESSAGES = DAY.map(([time, senderName, text], index) => ({
  ...{ id: index + 1, sentAt: new Date(`2026-11-18T${time}:00Z`), text },
  ...{ senderName: senderName === 'You' ? 'Lena' : senderName, fromUser: senderName === 'You', forwarded: false },
}));

describe('The samples of the summary styles', () => {
  let service: Service;
  before(async () => {
    service = await startService({ worker: false });
  });
  after(stopServices);

  for (const style of SUMMARY_STYLES) {
    it(`are what the built-in summarizer chooses of a day: ${style}`, async () => {
      const about = { peerName: 'Farid', userName: 'Lena', isGroup: false, timezone: 'UTC', style };
      const { summary } = await createBuiltInSummarizer().summarize({ ...about, messages: MESSAGES });
      const shown = presentStyles(style, { hasModel: false }).find(({ isChosen }) => isChosen);
      expect(shown?.sample).to.deep.equal(summary.replaceAll('Lena:', 'You:').split('\n'));
    });
  }

  it('are prose only where a model writes', async () => {
    const nora = await signIn(service, 'nora@example.com');
    const quoted = wordsOf((await nora.get('/settings').expect(200)).text);
    expect(quoted).to.include('↳ You: Tim, from the first day').and.not.include('Procurement moved');
    const [first] = presentStyles('BUSINESS', { hasModel: true });
    expect(first?.sample).to.deep.equal([
      '“Procurement moved the deadline to Monday. He accepts €18,400 a year and needs the signed data agreement.”',
    ]);
  });
});
