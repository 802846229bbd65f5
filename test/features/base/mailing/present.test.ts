import { expect } from 'chai';
import { presentMail } from '../../../../src/features/base/mailing/present.ts';

const about = { mode: 'URGENT', email: 'lena@forenoon.test', isConfigured: true, hasModel: true, saved: '' } as const;
const shown = (past: { days: number; urgent: number }) => presentMail({ ...about, past }).choices;

describe('The choice of mails', () => {
  it('says of each what it does, and which is chosen', () => {
    const choices = shown({ days: 0, urgent: 0 });
    expect(choices.map(({ value, isChosen }) => [value, isChosen])).to.deep.equal([
      ['OFF', false],
      ['ALWAYS', false],
      ['URGENT', true],
    ]);
    for (const { effect } of choices) expect(effect).to.match(/^[A-Z].*\.$/);
  });

  it('offers no mail for what is urgent where no model says that anything is, unless it was chosen', () => {
    const choicesOf = (mode: 'OFF' | 'URGENT') =>
      presentMail({ ...about, mode, hasModel: false, past: { days: 0, urgent: 0 } }).choices.map(({ value }) => value);
    expect(choicesOf('OFF')).to.deep.equal(['OFF', 'ALWAYS']);
    expect(choicesOf('URGENT')).to.include('URGENT');
  });

  it('says in numbers how often something was urgent, once there are enough days', () => {
    const urgentWords = (past: { days: number; urgent: number }) => shown(past)[2]?.effect ?? '';
    expect(urgentWords({ days: 14, urgent: 3 })).to.match(
      / 3 of your last 14 days with digests had something urgent\.$/,
    );
    expect(urgentWords({ days: 3, urgent: 0 })).to.match(/ None of your last 3 days with digests/);
    expect(urgentWords({ days: 2, urgent: 1 })).not.to.match(/\d/);
  });
});
