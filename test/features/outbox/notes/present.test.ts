import { expect } from 'chai';
import type { ActionItem } from '../../../../src/clients/summarizer/types.ts';
import { composeNote } from '../../../../src/features/outbox/notes/present.ts';
import type { NoteContent } from '../../../../src/features/outbox/notes/schema.ts';
import { exchange, INVOICE, said } from '../../digests/quotes.ts';

const APP = 'https://forenoon.example';
const MARKUP = `<img src=x onerror="alert('1')"> & <script>`;

function content(details: Partial<NoteContent> = {}, structured: Partial<NoteContent['structured']> = {}): NoteContent {
  return {
    ...{ id: 'n', digestId: 'd-1', hash: '', digestDate: '2026-11-20', peerName: 'Anna Weber', userName: 'Nora Lind' },
    ...{ messageCount: 12, lastMessageAt: new Date('2026-11-20T16:05:00Z'), summary: 'All is well.', isBuiltIn: false },
    ...details,
    structured: {
      ...{ topics: [], actionItems: [], sentiment: 'neutral', urgency: 'none', meetings: [], introductions: [] },
      ...{ dealSignals: [], links: [], language: 'en' },
      ...structured,
    },
  };
}

const item: ActionItem = {
  ...{ id: '1', text: 'Send the offer', owner: 'user', ownerName: null },
  ...{ dueText: null, dueDate: null, sourceMessageIds: [] },
};

describe('The text of a note', () => {
  it('has a header, the summary and a footer, and no empty section', () => {
    expect(composeNote(content(), APP)).to.deep.equal({
      marker: `${APP}/digests/d-1`,
      at: new Date('2026-11-20T16:05:00Z'),
      bodyHtml:
        '<p><strong>Telegram: \u2068Anna Weber\u2069</strong>, Friday 20 November 2026</p><p>All is well.</p>' +
        '<p>12 messages · AI summary, may contain errors · ' +
        `<a href="${APP}/digests/d-1">Open the digest in Forenoon</a></p>`,
    });
  });

  it('has a section for each part that is not empty', () => {
    const dated = { ...item, dueText: 'by Friday', dueDate: '2026-11-27' };
    const theirs = { ...item, text: 'Sign it', owner: 'contact' as const };
    const { bodyHtml } = composeNote(
      content(
        {},
        {
          ...{ urgency: 'high', topics: ['offer', 'price'], actionItems: [dated, theirs], dealSignals: ['budget set'] },
          ...{ meetings: [{ text: 'Call', date: '2026-11-30' }], introductions: ['Anna to Boris'] },
          links: ['https://example.com/offer'],
        },
      ),
      APP,
    );
    expect(bodyHtml).to.include('<p><strong>Topics</strong></p><ul><li>offer</li><li>price</li></ul>');
    expect(bodyHtml).to.include('<li>Send the offer (Nora Lind; by Friday: Friday 27 November 2026)</li>');
    expect(bodyHtml).to.include('<li>Sign it (Anna Weber)</li>');
    expect(bodyHtml).to.include('<li>Call (Monday 30 November 2026)</li>');
    expect(bodyHtml).to.include('<li>Anna to Boris</li>').and.to.include('<li>budget set</li>');
    expect(bodyHtml).to.include('<a href="https://example.com/offer">https://example.com/offer</a>');
    expect(bodyHtml).to.include('Priority: high');
  });

  it('escapes markup in every field', () => {
    const everywhere = { text: MARKUP, ownerName: MARKUP, dueText: MARKUP, dueDate: MARKUP };
    const dated = { ...item, ...everywhere, owner: 'contact' as const };
    const { bodyHtml } = composeNote(
      content(
        { peerName: MARKUP, userName: MARKUP, summary: MARKUP },
        {
          ...{ topics: [MARKUP], actionItems: [dated, { ...dated, owner: 'user' }], introductions: [MARKUP] },
          ...{ meetings: [{ text: MARKUP, date: MARKUP }], dealSignals: [MARKUP] },
          links: [MARKUP, 'javascript:alert(1)', `https://example.com/"><script>`],
        },
      ),
      APP,
    );
    const tags = [...bodyHtml.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    const isOurs = /^<(\/?(p|strong|ul|li|a)|a href="https:\/\/[^"<>]*")>$/;
    expect(tags.filter(tag => !isOurs.test(tag))).to.deep.equal([]);
    expect(bodyHtml).not.to.match(/href="javascript/i);
  });

  it('contains its marker once and no other digest’s, whatever people wrote', () => {
    const summary = `See ${APP}/digests/d-1 and ${APP}/digests/d-2.`;
    const { bodyHtml, marker } = composeNote(content({ summary }, { links: [`${APP}/digests/d-1`] }), APP);
    expect(bodyHtml.split(marker)).to.have.length(2);
    expect(bodyHtml).not.to.include('/digests/d-2');
  });

  it('stays below what the CRM takes, however long its parts are', () => {
    const long = '"'.repeat(20_000);
    const many = <T>(one: T): T[] => Array.from({ length: 300 }, () => one);
    const action = { ...item, text: long, ownerName: long, owner: 'contact' as const, dueText: long };
    const { bodyHtml, marker } = composeNote(
      content(
        { summary: long, peerName: long },
        {
          ...{ topics: many(long), actionItems: many(action), introductions: many(long), dealSignals: many(long) },
          ...{ meetings: many({ text: long, date: null }), links: many(`https://example.com/${long}`) },
        },
      ),
      APP,
    );
    expect(bodyHtml.length).to.be.within(10_000, 65_535);
    expect(bodyHtml).to.include(marker);
  });

  it('shows what people wrote, with each answer below what it answers', () => {
    const will = { ...item, text: 'Will do', dueText: 'by Friday', dueDate: '2026-11-27' };
    const request = { words: 'Can you send the report by Friday?', messageId: '1', who: 'Anna', fromUser: false };
    const { bodyHtml } = composeNote(
      content({ isBuiltIn: true }, { exchanges: INVOICE, actionItems: [{ ...will, request }] }),
      APP,
    );
    expect(bodyHtml).to.include(
      '<p>Tomasz: can you put the PO number on it, 44817</p><p>\u2003↳ Lena: 📎 INV-2026-031_rev.pdf ✓</p>' +
        '<p><strong>Action items</strong></p><ul><li><p>Anna: Can you send the report by Friday?</p>' +
        '<p>\u2003↳ Will do (Nora Lind; by Friday: Friday 27 November 2026)</p></li></ul>' +
        '<p><strong>What happened</strong></p><ul><li><p>Lena: are the two tags in hall B back?</p>' +
        '<p>\u2003↳ Tomasz: yes both green since 8</p></li></ul>',
    );
    expect(bodyHtml).not.to.include('All is well.');
    expect(bodyHtml).to.include('<p>12 messages · Key lines in their own words, chosen by Forenoon · may miss what');
  });

  it('begins with what ended a matter, the newest, and is of no low priority then', () => {
    const signed = said('Tomasz', 'signed and sent', { time: '10:20', isDone: true });
    const contract = exchange(said('You', 'could you sign the contract?', { time: '10:02' }), signed);
    const [invoice, tags] = INVOICE as [typeof contract, typeof contract];
    const noteWith = (...exchanges: (typeof contract)[]) =>
      composeNote(content({ isBuiltIn: true }, { exchanges, actionItems: [item], urgency: 'low' }), APP).bodyHtml;
    const begins =
      ', Friday 20 November 2026</p><p>Lena: could you sign the contract?</p><p>\u2003↳ Tomasz: signed and sent ✓</p>' +
      '<p><strong>Action items</strong></p>';
    const body = noteWith(invoice, contract, tags);
    expect(body).to.include(begins).and.not.include('Priority');
    expect(body.split('signed and sent')).to.have.length(2);
    expect(body).to.include('<p><strong>What happened</strong></p><ul><li><p>Tomasz: can you put the PO number on it');
    expect(noteWith(contract)).to.include(begins).and.not.include('What happened');
    const earlier = exchange({ ...invoice.opener, day: '2026-11-18' }, { ...signed, day: '2026-11-18', time: '17:52' });
    expect(noteWith(contract, earlier)).to.include(begins);
    expect(noteWith(tags)).to.include('2026</p><p><strong>Action items').and.include('Priority: low');
  });

  it('does not claim AI for the built-in summarizer', () => {
    const { bodyHtml } = composeNote(content({ isBuiltIn: true }), APP);
    expect(bodyHtml).to.include('Basic summary made without AI').and.not.to.include('AI summary');
  });

  it('drops control characters and replaces lone surrogates', () => {
    const { bodyHtml } = composeNote(content({ summary: 'a\u0000b\u0007c \ud83d end' }), APP);
    expect(bodyHtml).to.include('<p>abc \ufffd end</p>');
  });
});
