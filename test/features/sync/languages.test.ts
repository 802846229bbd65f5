import { expect } from 'chai';
import { type AiSandbox, startAiSandbox } from '../../support/ai/server.ts';
import { askedInto, RECORDED, recordedModel } from '../../support/ai/translations.ts';
import { post, wordsOf } from '../../support/pages.ts';
import { type Agent, connectCrm, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopLater, stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { dialog, message, person, world } from '../../support/worlds.ts';

const FORM = { syncTime: '18:00', timezone: 'Europe/Berlin', minMessages: '1', summaryStyle: 'BUSINESS' };
const PEOPLE = [
  { id: 2001, of: 'de', firstName: 'Jonas', phone: '+4915112345001', language: 'German' },
  { id: 2002, of: 'ru', firstName: 'Марина', phone: '+4915112345002', language: 'Russian' },
  { id: 2003, of: 'ar', firstName: 'أحمد', phone: '+4915112345003', language: 'Arabic' },
] as const;
const ENGLISH = PEOPLE.map(({ of }) => (RECORDED[of].english as Record<string, string>)[RECORDED[of].item] ?? '');
const ITEMS = PEOPLE.map(({ of }) => RECORDED[of].item);

function chats() {
  const dialogs = PEOPLE.map(({ id, of }, at) => {
    const texts = RECORDED[of].chat.map(line => line.slice(line.indexOf(':') + 2));
    return dialog(
      `user:${id}`,
      texts.map((text, n) => message(10 * at + n + 11, { text, ...(n === 0 && { from: id }) })),
    );
  });
  return world({
    users: PEOPLE.map(({ id, firstName, phone }) => person(id, { firstName, phone, isContact: true })),
    dialogs,
  });
}

describe('Digests in one language', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    ai = stopLater(await startAiSandbox());
    ai.script(recordedModel);
    const contacts = PEOPLE.map(({ phone, firstName }, at) => ({ id: `10${at + 1}`, firstname: firstName, phone }));
    const env = { AI_MODEL: 'large-model', AI_API_URL: ai.url };
    service = await startService({ worlds: [chats()], crm: { contacts }, env });
    nora = await connectedNora(service);
  });
  afterEach(stopServices);

  const choose = (languages: { digestLanguage: string; crmLanguage?: string }) =>
    post(nora, '/settings', { ...FORM, ...languages }).expect(303);
  async function withCrm() {
    await connectCrm(service, nora);
    await post(nora, '/settings/crm', { tasksWrite: 'true' }).expect(303);
  }
  const translations = () => ai.requests().filter(({ system }) => askedInto(system)).length;
  const promises = () => service.db('promises').whereNot({ state: 'withdrawn' }).orderBy('source_message_ids');
  const digests = () =>
    service.db('digests').join('dialogs', 'dialogs.id', 'digests.dialog_id').orderBy('peer_key').select('digests.*');
  const notes = () =>
    PEOPLE.map((_, at) => service.crm.notes(`10${at + 1}`).map(({ body }) => body.replaceAll(/[\u2068\u2069]/gu, '')));
  const subjects = () => PEOPLE.flatMap((_, at) => service.crm.tasks(`10${at + 1}`).map(({ subject }) => subject));
  const entry = async (dialogId: string) => wordsOf((await nora.get(`/conversations/${dialogId}`).expect(200)).text);

  /** Notes follow their digests. @param words in the first note at last */
  async function rewriteAll(words = '') {
    for (const { id } of await digests()) await post(nora, `/digests/${id}/regenerate`, { style: 'BUSINESS' }).expect(303);
    await until(async () => (await service.db('digest_rewrites')).length === 0);
    if (words) await until(() => notes()[0]?.[0]?.includes(words));
  }

  it('are English on pages and in the CRM for a German, a Russian and an Arabic chat, and say which it was', async () => {
    await withCrm();
    await choose({ digestLanguage: 'en', crmLanguage: 'en' });
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 3, notesCreated: 3, errors: [] });
    expect(translations()).to.equal(0);
    expect(ai.calls()).to.equal(3);
    const today = wordsOf((await nora.get('/today').expect(200)).text);
    expect(today).to.include('Jonas needs the contract because of the invoice for €18,400.');
    for (const [at, { of, language }] of PEOPLE.entries()) {
      const row = (await digests())[at];
      expect(today).to.include(`Conversation in ${language}`);
      expect(await entry(row.dialog_id)).to.include(`Conversation in ${language}`);
      const page = (await nora.get(`/conversations/${row.dialog_id}`)).text;
      expect(page).to.include('lang="en"').and.not.include(`lang="${of}"`);
      expect(row.structured).to.include({ language: of, writtenIn: 'en' });
      const [note = ''] = notes()[at] ?? [];
      expect(note).to.include(ENGLISH[at]).and.include(`Conversation in ${language}`).and.include(RECORDED[of].dueText);
      expect(note).not.to.include(ITEMS[at]);
    }
    const listed = wordsOf((await nora.get('/promises').expect(200)).text).replaceAll(/[\u2068\u2069]/gu, '');
    for (const words of ENGLISH) expect(listed).to.include(words);
    expect(subjects()).to.have.length(3);
    for (const [at, words] of ENGLISH.entries()) expect(subjects()[at]).to.include(words);
    const { body } = await nora.get('/api/digests').expect(200);
    expect(JSON.stringify(body)).to.include(ENGLISH[0]).and.not.include('textInChat').and.not.include('writtenIn');
  });

  it('can be in each chat’s own language on pages and English in the CRM', async () => {
    await withCrm();
    await choose({ digestLanguage: '', crmLanguage: 'en' });
    await syncNow(nora);
    expect((await promises()).map(({ words }) => words).sort()).to.deep.equal([...ITEMS].sort());
    const today = wordsOf((await nora.get('/today').expect(200)).text);
    expect(today).to.include('Jonas braucht den Vertrag').and.not.include('Conversation in');
    for (const [at, words] of ENGLISH.entries()) {
      expect(notes()[at]?.[0]).to.include(words).and.not.include(ITEMS[at]);
      expect(subjects()[at]).to.include(words);
    }
    expect(translations()).to.equal(3);
  });

  it('are the same promises with the same days there and back, and those in the CRM keep their words', async () => {
    await withCrm();
    await syncNow(nora);
    const before = await promises();
    expect(before.map(({ words }) => words).sort()).to.deep.equal([...ITEMS].sort());
    await nora.get('/promises').expect(200);
    const inCrm = subjects();
    const same = async (words: readonly string[], what: string) => {
      const now = await promises();
      expect(now.map(({ words: said }) => said).sort(), what).to.deep.equal([...words].sort());
      expect(now.map(({ id }) => id).sort(), what).to.deep.equal(before.map(({ id }) => id).sort());
      const dueOf = (list: typeof now) =>
        list.map(({ id, due_date, due_time, due_text }) => [id, due_date, due_time, due_text]);
      expect(dueOf(now).sort(), what).to.deep.equal(dueOf(before).sort());
      expect(subjects(), what).to.deep.equal(inCrm);
    };

    await choose({ digestLanguage: 'en', crmLanguage: 'en' });
    await rewriteAll(ENGLISH[0]);
    expect((await digests())[0].summary).to.include('because of the invoice');
    // What was shown keeps its words until it is said again.
    await same(ITEMS, 'after the digests were rewritten in English');

    await choose({ digestLanguage: '', crmLanguage: '' });
    await rewriteAll(ITEMS[0]);
    expect((await digests())[0].summary).to.include('wegen der Rechnung');
    expect((await digests())[0].structured).not.to.have.property('writtenIn');
    await same(ITEMS, 'and back');
  });

  it('stay in their own in the CRM while the model can’t translate, and fail no sync', async () => {
    await withCrm();
    ai.script(request => (askedInto(request.system) ? 'No.' : recordedModel(request)));
    await choose({ digestLanguage: 'en', crmLanguage: '' });
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 3, errors: [] });
    for (const [at, words] of ENGLISH.entries()) expect(notes()[at]?.[0]).to.include(words);
  });

  it('are chosen on the settings page, for pages and for the CRM', async () => {
    const { text } = await nora.get('/settings').expect(200);
    expect(wordsOf(text)).to.include('The AI model writes digests in Each conversation’s language Arabic Chinese');
    expect(wordsOf(text)).to.include('It writes notes and tasks in the CRM in Each conversation’s language');
    await choose({ digestLanguage: 'de', crmLanguage: 'en' });
    const saved = (await nora.get('/settings')).text;
    expect(saved).to.include('<option value="de" selected>').and.include('<option value="en" selected>');
    // A form without them changes nothing.
    await post(nora, '/settings', FORM).expect(303);
    expect(await service.db('sync_configs').first()).to.include({ digest_language: 'de', crm_language: 'en' });
    const wrong = await post(nora, '/settings', { ...FORM, digestLanguage: 'tlh' }).expect(400);
    expect(wrong.text).to.include('href="#digestLanguage"').and.include('Choose a language from the list.');
    const { body } = await nora.get('/api/settings').expect(200);
    expect(body.config).not.to.have.property('digestLanguage');
  });
});
