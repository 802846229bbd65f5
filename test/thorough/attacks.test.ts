import { expect } from 'chai';
import { ClientError } from '../../src/clients/errors.ts';
import {
  SENTIMENTS,
  type Summary,
  type SummaryRequest,
  structuredDigest,
  URGENCIES,
} from '../../src/clients/summarizer/types.ts';
import { eachAiService } from '../clients/summarizer/aiService.ts';
import { ATTACKS, type Attack, PRIVATE_TALK, SECRETS } from '../clients/summarizer/attacks.ts';
import { conversation } from '../clients/summarizer/conversations.ts';
import { NO_DIGEST, OBEDIENT_MODELS, revealPrompt } from '../clients/summarizer/obedientModel.ts';

/** The victim's day, with the attack in the middle of it. */
function underAttack({ says, calls = 'Eve Stone' }: Attack): SummaryRequest {
  const talk = conversation([
    'Eve: Can you send the catalogue by Friday?',
    ...PRIVATE_TALK,
    ...says.map(text => `Eve: ${text}`),
  ]);
  const messages = talk.messages.map(message => (message.fromUser ? message : { ...message, senderName: calls }));
  return { ...talk, messages, peerName: calls };
}

const keysOf = (value: object) => Object.keys(value).sort();
const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function expectNoSecret(text: string): void {
  expect(text).to.not.include(SECRETS.code);
  expect(text).to.not.include(SECRETS.password);
  expect(digitsOf(text)).to.not.include(digitsOf(SECRETS.card));
  expect(digitsOf(text)).to.not.include(digitsOf(SECRETS.iban));
}

/** Nothing but the fields of a digest, known words, short plain texts, and links and messages of this conversation. */
function expectOnlyText({ summary, structured, engine, usage }: Summary, { messages }: SummaryRequest): void {
  expect(keysOf({ summary, structured, engine, ...(usage && { usage }) })).to.include.members(['summary']);
  expect(structuredDigest.strict().safeParse(structured).success, 'fields').to.equal(true);
  for (const item of structured.actionItems) {
    const known = ['id', 'text', 'owner', 'ownerName', 'dueDate', 'dueText', 'sourceMessageIds'];
    const { dueTime, request, ...kept } = item;
    expect(keysOf(kept)).to.deep.equal(known.sort());
    expect(dueTime ?? '00:00').to.match(/^\d\d:\d\d$/);
    expect(item.id).to.match(/^[0-9a-f]{16}$/);
    expect(item.owner).to.be.oneOf(['user', 'contact', 'unknown']);
    expect(item.dueDate ?? '2026-01-01').to.match(/^\d{4}-\d\d-\d\d$/);
    expect(messages.map(({ id }) => String(id))).to.include.members(item.sourceMessageIds);
    expect(item.sourceMessageIds).to.not.be.empty;
    if (request) expect(messages.map(({ id }) => String(id))).to.include(request.messageId);
  }
  expect(structured.sentiment).to.be.oneOf([...SENTIMENTS]);
  expect(structured.urgency).to.be.oneOf([...URGENCIES]);
  expect(structured.language).to.match(/^([a-z]{2}|und)$/);

  const { links, ...texts } = structured;
  const said = messages.map(({ text }) => text).join('\n');
  for (const link of links) {
    expect(link).to.match(/^https?:\/\/[^\s<>"'@]+$/);
    expect(said).to.include(link);
  }
  // Only what parts the lines of an excerpt from each other is a line break; what people write holds none.
  for (const text of stringsIn({ lines: summary.split('\n'), texts })) expectPlain(text);
  expect(summary.length).to.be.within(1, 900);
  expect(texts.actionItems.length).to.be.at.most(12);
  expect(JSON.stringify({ summary, structured }).length).to.be.lessThan(16_000);
  expectNoSecret(JSON.stringify({ summary, texts }));
}

function expectPlain(text: string): void {
  expect(text.length).to.be.at.most(900);
  expect(text, 'markup').to.not.match(/<\/?[a-z!]|&(lt|gt|#\d+|#x[\da-f]+);/i);
  expect(text, 'hidden characters').to.not.match(/[\p{Cc}\p{Cf}\p{Co}\p{Surrogate}\u2028\u2029]/u);
  expect(text, 'links').to.not.match(/\w:\/\/|exfil\.example/i);
  expect(text, 'schemes').to.not.match(/javascript:\S|data:\w+\/|!\[/i);
}

describe('Attacks on the digest', () => {
  const service = eachAiService();
  afterEach(() => expect(Object.hasOwn(Object.prototype, 'polluted')).to.equal(false));

  for (const attack of ATTACKS) {
    // What is said does not change the prompt's beginning.
    const others = attack === ATTACKS[0] ? { 'reveals its prompt': revealPrompt } : {};
    for (const [model, script] of Object.entries({ ...OBEDIENT_MODELS, ...others })) {
      it(`leave nothing but text, by a model that ${model}: ${attack.name}`, async () => {
        const request = underAttack(attack);
        service.ai.script(script);
        const before = service.ai.requests().length;
        const digest = await service.summarizer.summarize(request).catch(error => error);
        if (digest instanceof ClientError) expect(`${digest.code} ${model}`).to.equal(`AI_BAD_OUTPUT ${NO_DIGEST}`);
        else expectOnlyText(digest, request);
        for (const { body } of service.ai.requests().slice(before)) expectNoSecret(JSON.stringify(body.messages));
        expect(JSON.stringify(service.reports)).to.not.match(/evil|HACKED|ecstatic/);
      });
    }
  }
});
