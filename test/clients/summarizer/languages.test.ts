import { expect } from 'chai';
import type { Languages } from '../../../src/clients/summarizer/languages/types.ts';
import type { SummaryRequest } from '../../../src/clients/summarizer/types.ts';
import {
  askedInto,
  RECORDED,
  type RecordedLanguage,
  recordedDigest,
  recordedModel,
  translationOf,
} from '../../support/ai/translations.ts';
import { eachAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const FOR_CRM: Languages = { pages: null, crm: 'en' };

describe('A digest in a language that was chosen', () => {
  const service = eachAiService();
  beforeEach(() => service.ai.script(recordedModel));

  const summarize = (of: RecordedLanguage, languages: Languages, change: Partial<SummaryRequest> = {}) =>
    service.summarizer.summarize(conversation([...RECORDED[of].chat], { languages, ...change }));
  const codes = () => service.reports.map(({ code }) => code);
  const englishOf = (of: RecordedLanguage, text: string) => (RECORDED[of].english as Record<string, string>)[text];

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
      const changed = RECORDED[of].summary.filter(({ text }) => englishOf(of, text) !== change(englishOf(of, text) ?? ''));
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
});
