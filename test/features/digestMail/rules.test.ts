import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PLAN_LIMITS } from '../../../src/features/billing/rules.ts';
import { NO_CONNECTION } from '../../../src/features/crm/schema.ts';
import { groupMail } from '../../../src/features/digestMail/groupMail.ts';
import { isWorthAMail, oneLine, subjectFor } from '../../../src/features/digestMail/rules.ts';
import { renderDigestMail } from '../../../src/features/digestMail/writeDigestMail.ts';
import { headline } from '../../../src/features/digestMail/writeHeadline.ts';
import type { Digest } from '../../../src/features/digests/schema.ts';
import type { SyncError } from '../../../src/features/sync/schema.ts';
import type { DayOverview } from '../../../src/features/today/service.ts';
import { createMailViews } from '../../../src/lib/mailViews.ts';
import { digest, item, owes, urgent } from '../today/digests.ts';

const DAY = '2026-11-20';
const HOSTILE = '<script>alert(1)</script>"\'&';
const group = (...digests: Digest[]) => groupMail(digests);
const subject = (...digests: Digest[]) => subjectFor(DAY, group(...digests));

const mailViews = createMailViews({
  viewsDir: fileURLToPath(new URL('../../../views', import.meta.url)),
  appName: 'Forenoon',
  appUrl: 'https://a.example',
});

function mailOf(...digests: Digest[]) {
  // What a mail needs of a day.
  const overview: Partial<DayOverview> = {
    day: DAY,
    today: DAY,
    timezone: 'Europe/Berlin',
    digests,
    links: new Map(),
    accounts: [],
    crm: NO_CONNECTION,
    notesWaiting: 0,
    limits: PLAN_LIMITS.STARTER,
  };
  return renderDigestMail(mailViews, overview as DayOverview, group(...digests), {
    now: new Date(`${DAY}T18:00:00Z`),
    appUrl: 'https://a.example',
    email: 'lena@forenoon.test',
    mode: 'ALWAYS',
    unsubscribeUrl: 'https://a.example/mail/unsubscribe/token',
  });
}

describe('The subject of a mailed digest', () => {
  it('counts what is urgent and who waits', () => {
    const five = Array.from({ length: 4 }, () => digest({ structured: owes }));
    expect(subject(digest({ structured: urgent }), digest({ structured: { ...urgent, ...owes } }), ...five)).to.equal(
      'Friday: two are urgent, five people wait for you',
    );
    expect(subject(digest({ structured: owes }))).to.equal('Friday: nothing urgent, one person waits for you');
    expect(subject(digest({ structured: urgent }))).to.equal('Friday: one is urgent');
  });

  it('says conversations where a group waits', () => {
    const crew = digest({ structured: owes, dialog: { peerType: 'group' } });
    expect(subject(crew, digest({ structured: owes }))).to.include('two conversations wait for you');
  });

  it('says when a day is quiet, and when nothing could be read', () => {
    expect(subject(digest())).to.equal('Friday: a quiet day, nothing waits for you');
    expect(subject(digest({ writing: 'FAILED', summary: '' }))).to.equal('Friday: nothing new could be read');
  });

  it('contains no names or messages', () => {
    const loud = digest({ name: 'Two are urgent', summary: 'Secret', structured: { ...urgent, topics: ['Secret'] } });
    expect(subject(loud)).to.equal('Friday: one is urgent');
  });
});

describe('The headline of a mailed digest', () => {
  const line = (...digests: Digest[]) => headline(group(...digests));
  const owing = digest({ structured: owes });

  it('says how many are urgent and how many people wait', () => {
    const both = digest({ structured: { ...urgent, ...owes } });
    expect(line(both, both, owing, owing, owing)).to.equal('Two are urgent. Five people wait for something from you.');
    expect(line(both)).to.equal('One is urgent. One person waits for something from you.');
    expect(line(owing, owing, owing)).to.equal('Nothing urgent. Three people wait for something from you.');
    expect(line(digest({ structured: urgent }))).to.equal('One is urgent. Nothing waits for you.');
  });

  it('says conversations when a group is among them, and writes large numbers as digits', () => {
    const crew = digest({ structured: owes, dialog: { peerType: 'supergroup' } });
    expect(line(owing, crew)).to.equal('Nothing urgent. Two conversations wait for something from you.');
    const many = Array.from({ length: 1204 }, () => digest({ structured: owes }));
    expect(line(...many)).to.equal('Nothing urgent. 1,204 people wait for something from you.');
  });

  it('calls a quiet day quiet, and a day without anything what it is', () => {
    expect(line(digest())).to.equal('A quiet day. Nothing waits for you.');
    expect(line()).to.equal('Nothing new so far today.');
    expect(line(digest({ writing: 'FAILED', summary: '' }))).to.equal('This day’s digests aren’t finished.');
  });

  it('does not count what others owe, or what is unassigned', () => {
    const theirs = [item({ owner: 'contact' }), item({ owner: 'unknown' })];
    expect(group(digest({ structured: { actionItems: theirs } })).needsYou).to.have.length(0);
  });

  it('lists what is urgent first, then what is due first, then the newest', () => {
    const due = (name: string, dueDate: string | null) =>
      digest({ name, structured: { actionItems: [item({ dueDate })] } });
    const old = digest({ name: 'No date, old', structured: owes, lastMessageAt: new Date('2026-11-19T08:00:00Z') });
    const loud = digest({ name: 'Urgent', structured: urgent });
    const { needsYou } = group(
      old,
      due('No date', null),
      due('Later', '2026-11-25'),
      due('Sooner', '2026-11-21'),
      loud,
    );
    const names = needsYou.map(({ dialog }) => dialog.peerName);
    expect(names).to.deep.equal(['Urgent', 'Sooner', 'Later', 'No date', 'No date, old']);
  });
});

describe('Whether a day is worth a mail', () => {
  const expired = { code: 'SESSION_EXPIRED', stage: 'connect' } as SyncError;
  const flooded = { code: 'FLOOD_WAIT', stage: 'connect' } as SyncError;
  const quiet = group(digest());
  const nothing = group(digest({ writing: 'SKIPPED', summary: '', reason: 'TOO_FEW_MESSAGES' }));

  it('depends on what was chosen', () => {
    const loud = group(digest({ structured: urgent }));
    const modes = ['OFF', 'ALWAYS', 'URGENT'] as const;
    expect(modes.map(mode => isWorthAMail(mode, quiet, []))).to.deep.equal([false, true, false]);
    expect(modes.map(mode => isWorthAMail(mode, loud, []))).to.deep.equal([false, true, true]);
    expect(modes.map(mode => isWorthAMail(mode, nothing, []))).to.deep.equal([false, false, false]);
  });

  it('includes an ended session, which would go unnoticed otherwise, but not a wait', () => {
    expect(isWorthAMail('URGENT', nothing, [expired])).to.equal(true);
    expect(isWorthAMail('OFF', nothing, [expired])).to.equal(false);
    expect(isWorthAMail('ALWAYS', nothing, [flooded])).to.equal(false);
  });

  it('excludes urgent items that are done', () => {
    const task = item();
    const done = digest({ structured: { ...urgent, actionItems: [task] }, ticked: new Set([task.id]) });
    expect(isWorthAMail('URGENT', group(done), [])).to.equal(false);
  });
});

describe('A mailed digest', () => {
  it('shows what needs you in full, with what is still to do', () => {
    const [open, done] = [item({ text: 'Send the offer', dueDate: DAY }), item({ text: 'Book the call' })];
    const farid = digest({ name: 'Farid', structured: { actionItems: [open, done] }, ticked: new Set([done.id]) });
    const { html, text } = mailOf(farid, digest({ name: 'Ada' }));
    expect(text).to.include('NEEDS YOU (1)').and.include('[ ] Send the offer (You · today)');
    expect(text).to.include('WORTH KNOWING (1)').and.include('* Ada: Ada wrote.');
    for (const body of [html, text]) {
      expect(body).to.include(`https://a.example/digests/${farid.id}`).and.not.include('Book the call');
      expect(body)
        .to.include('https://a.example/mail/unsubscribe/token')
        .and.include('https://a.example/settings#mail');
    }
  });

  it('escapes names, summaries and tasks', () => {
    const structured = {
      actionItems: [item({ text: HOSTILE, owner: 'contact', ownerName: HOSTILE, dueText: HOSTILE })],
    };
    const { html } = mailOf(digest({ name: HOSTILE, summary: HOSTILE, structured: { ...structured, ...urgent } }));
    expect(html).not.to.include('<script').and.not.include('"\'&');
    expect(html.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/g)).to.have.length(5);
  });

  it('does not let names or messages add lines to the plain text', () => {
    const forged = 'Hi\r\n\r\n--\nStop these emails: https://evil.example\u2028\u0007';
    const { text } = mailOf(digest({ name: forged, summary: forged, structured: owes }));
    expect(text.split('\n').filter(line => line === '--')).to.have.length(1);
    expect(text.match(/^Stop these emails/gm)).to.have.length(1);
  });

  it('isolates right-to-left names', () => {
    const { html } = mailOf(
      digest({ name: 'أحمد الشريف', summary: 'يريد موعداً.', structured: { ...owes, language: 'ar' } }),
    );
    expect(html).to.include('<bdi>أحمد الشريف</bdi>').and.include('lang="ar" dir="rtl"');
  });

  it('is read in two minutes: of 60 digests it leads to the rest', () => {
    const many = Array.from({ length: 60 }, (_, index) => digest({ structured: index % 4 ? {} : owes }));
    const { html, text } = mailOf(...many);
    expect(html.match(/\/digests\//g)).to.have.length(15 + 20);
    expect(html).to.match(/<a href="https:\/\/a\.example\/today\?day=2026-11-20"[^>]*>25 more digests are on Today\.</);
    expect(text).to.include('25 more digests are on Today.\n\nOpen Today: https://a.example/today');
  });

  it('stays below what Gmail cuts off, and says how many it left out', () => {
    const long = 'Экспорт на их склад не работает со среды. '.repeat(30);
    const many = Array.from({ length: 300 }, (_, index) =>
      digest({ name: `Ирина ${index}`, summary: long, structured: index % 2 ? owes : {} }),
    );
    const { html, text } = mailOf(...many);
    expect(Buffer.byteLength(html)).to.be.within(50_000, 102_000);
    const shown = html.match(/\/digests\//g)?.length ?? 0;
    expect(text).to.include(`${300 - shown} more digests are on Today.`);
    expect(html).to.include('mail/unsubscribe/token');
  });

  it('truncates overlong text', () => {
    expect(oneLine('x'.repeat(5000))).to.have.length(1501);
    expect(oneLine(' a\n\tb\u0000c ')).to.equal('a b c');
  });
});
