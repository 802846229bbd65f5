import { expect } from 'chai';
import type { Languages } from '../../../src/clients/summarizer/languages/types.ts';
import type { Summary, SummaryRequest } from '../../../src/clients/summarizer/types.ts';
import { digestOf } from '../../support/ai/model.ts';
import {
  askedInto,
  RECORDED,
  type RecordedLanguage,
  recordedDigest,
  recordedModel,
  translationOf,
} from '../../support/ai/translations.ts';
import { type AiService, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const IN_ENGLISH: Languages = { pages: 'en', crm: 'en' };
const FOR_CRM: Languages = { pages: null, crm: 'en' };
const DUE: Record<RecordedLanguage, string> = { de: '2026-11-20', ru: '2026-11-23', ar: '2026-11-19' };

describe('A digest in a language that was chosen', () => {
  let service: AiService;
  beforeEach(async () => {
    service = await startAiService();
    service.ai.script(recordedModel);
  });
  afterEach(() => service.stop());

  const summarize = (of: RecordedLanguage, languages: Languages, change: Partial<SummaryRequest> = {}) =>
    service.summarizer.summarize(conversation([...RECORDED[of].chat], { languages, ...change }));
  const codes = () => service.reports.map(({ code }) => code);
  const englishOf = (of: RecordedLanguage, text: string) => (RECORDED[of].english as Record<string, string>)[text];

  /** All but its words. */
  function bones({ structured, closings, waits }: Summary) {
    const items = structured.actionItems.map(({ text: _, textInChat: __, textInCrm: ___, ...item }) => item);
    const asked = waits.questions.map(({ messageId }) => messageId);
    return { items, language: structured.language, urgency: structured.urgency, closings, asked };
  }

  for (const which of ['de', 'ru', 'ar'] as const) {
    it(`says the same promise with the same day as in the chat's own, at one request: ${which}`, async () => {
      const own = await summarize(which, { pages: null, crm: null });
      expect(service.ai.calls()).to.equal(1);
      expect(own.structured).not.to.have.property('writtenIn');
      const inEnglish = await summarize(which, IN_ENGLISH);
      expect(service.ai.calls()).to.equal(2);
      const { summary, item } = RECORDED[which];
      expect(inEnglish.sentences?.map(({ text }) => text)).to.deep.equal(
        summary.map(({ text }) => englishOf(which, text)),
      );
      expect(inEnglish.sentences?.map(one => one.sourceMessageIds)).to.deep.equal(
        own.sentences?.map(one => one.sourceMessageIds),
      );
      expect(inEnglish.structured.actionItems[0]).to.include({ text: englishOf(which, item) });
      const [, said = ''] = RECORDED[which].chat[1].split(/: /);
      expect(inEnglish.structured.actionItems[0]?.textInChat).to.equal(said);
      expect(inEnglish.structured.actionItems[0]?.dueDate).to.equal(DUE[which]);
      expect(inEnglish.structured).to.include({ language: which, writtenIn: 'en' }).and.not.have.property('inCrm');
      expect(bones(inEnglish)).to.deep.equal(bones(own));
      expect(codes()).to.deep.equal([]);
    });
  }

  it('costs a second request only where it is another in the CRM', async () => {
    const { structured, summary } = await summarize('de', { pages: null, crm: 'en' });
    expect(summary).to.include('Rechnung');
    expect(structured.inCrm).to.deep.include({ language: 'en' });
    expect(structured.inCrm?.summary).to.include('invoice for €18,400');
    expect(structured.actionItems[0]).to.include({ text: RECORDED.de.item, textInCrm: 'Send Jonas the contract' });
    expect(structured.actionItems[0]).not.to.have.property('textInChat');
    expect(service.ai.calls()).to.equal(2);
    const other = await summarize('de', { pages: 'en', crm: null });
    expect(other.summary).to.include('invoice');
    expect(other.structured.inCrm).to.deep.include({ language: 'de' });
    expect(other.structured.actionItems[0]).to.include({ textInCrm: RECORDED.de.item, textInChat: RECORDED.de.item });
    expect(service.ai.calls()).to.equal(4);
    await summarize('de', { pages: 'de', crm: 'de' });
    expect(service.ai.calls(), 'none for its own').to.equal(5);
    expect(codes()).to.deep.equal([]);
  });

  const lies: [what: string, of: RecordedLanguage, change: (text: string) => string][] = [
    ['another amount', 'de', text => text.replace('18,400', '18,900')],
    ['another date', 'ar', text => text.replace('25 November', '28 November')],
    ['someone that no one named', 'de', text => text.replace('because of', 'and Boris because of')],
    ['a handle', 'ru', text => text.replace('the contract', 'the contract from @boris_k')],
  ];
  for (const [what, of, change] of lies) {
    it(`keeps the digest’s own words where the translation has ${what}`, async () => {
      service.ai.script(request =>
        askedInto(request.system) ? translationOf(request, change) : recordedDigest(RECORDED[of]),
      );
      const { structured } = await summarize(of, FOR_CRM);
      const changed = RECORDED[of].summary.filter(
        ({ text }) => englishOf(of, text) !== change(englishOf(of, text) ?? ''),
      );
      expect(changed.length, 'the test changes something').to.be.above(0);
      for (const { text } of changed) {
        if (structured.inCrm) expect(structured.inCrm.summary).to.include(text);
      }
      expect(codes()).to.include('AI_NOT_TRANSLATED');
    });
  }

  it('keeps a quote as it was said', async () => {
    const text = 'Jonas schreibt: „wann bekomme ich den Vertrag?“';
    const told = { ...recordedDigest(RECORDED.de), summary: [{ text, lines: [1] }] };
    const inCrm = async (translated: string) => {
      service.ai.script(request =>
        askedInto(request.system) ? translationOf(request, one => (one === text ? translated : one)) : told,
      );
      return (await summarize('de', FOR_CRM)).structured.inCrm?.summary;
    };
    expect(await inCrm('Jonas writes: “when will I get the contract?”')).to.equal(text);
    expect(await inCrm('Jonas writes: “wann bekomme ich den Vertrag?”')).to.equal(
      'Jonas writes: “wann bekomme ich den Vertrag?”',
    );
  });

  it('is written all the same when its translation fails in whichever way', async () => {
    const answers: [string, unknown][] = [
      ['prose', 'Sure, here it is!'],
      ['the same texts again', undefined],
      ['half of it', '{"texts": [{"n": 1, "text": "Jonas needs the contract."}, {"n'],
      ['a digest', digestOf('Jonas needs the contract.')],
    ];
    for (const [what, answer] of answers) {
      const before = service.ai.calls();
      service.ai.script(request => {
        if (!askedInto(request.system)) return recordedDigest(RECORDED.de);
        return answer ?? { texts: request.lines.map(({ n, text }) => ({ n, text })) };
      });
      const { summary, structured } = await summarize('de', FOR_CRM);
      expect(summary, what).to.include('Rechnung');
      expect(structured.actionItems, what).to.have.length(1);
      expect(structured, what).not.to.have.property('inCrm');
      expect(service.ai.calls() - before, what).to.equal(2);
    }
    expect(new Set(codes())).to.deep.equal(new Set(['AI_NOT_TRANSLATED']));
  });
});
