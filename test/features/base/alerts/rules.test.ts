import { expect } from 'chai';
import type { Alert, StoredAlert } from '../../../../src/features/base/alerts/schema.ts';
import { chooseDelivery, cutToSize, kindKey } from '../../../../src/features/base/alerts/service.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const ALERT: Alert = { level: 'error', source: 'crm', kind: 'CRM_UNAVAILABLE', about: {} };
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

function stored(own: Partial<StoredAlert> = {}): StoredAlert {
  const times = { firstAt: NOW, lastAt: NOW, dueAt: NOW, settledAt: null };
  return { ...ALERT, id: 'a', count: 1, isRepeat: false, state: 'sent', tries: 0, ...times, ...own };
}

describe('The place of an alert', () => {
  it('is never one that is being sent, nor the first one', () => {
    const sending = stored({ isRepeat: true, state: 'waiting', dueAt: minutesAgo(1) });
    expect(chooseDelivery(sending, NOW)).to.include({ joins: undefined, isRepeat: true });
    expect(chooseDelivery(stored({ state: 'waiting' }), NOW)).to.include({ joins: undefined, isRepeat: true });
  });

  it('is shared by alerts of the same level, source and kind, but never by revenue alerts', () => {
    expect(kindKey(ALERT)).to.equal(kindKey({ ...ALERT, about: { other: 1 } }));
    expect(kindKey(ALERT)).not.to.equal(kindKey({ ...ALERT, level: 'warn' }));
    expect(kindKey({ ...ALERT, level: 'revenue' })).to.equal(undefined);
  });
});

describe('An alert', () => {
  it('stays small and can be stored, whatever a caller passes', () => {
    const { about } = cutToSize({ ...ALERT, about: { long: 'x'.repeat(9000), none: Number.NaN, some: 3 } });
    expect(about).to.deep.equal({ long: 'x'.repeat(500), none: 'NaN', some: 3 });
  });
});
