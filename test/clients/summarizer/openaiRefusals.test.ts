import { expect } from 'chai';
import { type AiService, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

const TOO_LONG: [string, string][] = [
  ['vLLM', "This model's maximum context length is 4096 tokens. However, your request has 9000 input tokens."],
  [
    'DeepSeek',
    "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion).",
  ],
  [
    'OpenRouter',
    "This endpoint's maximum context length is 200000 tokens. However, you requested about 264437 tokens (262437 of text input, 2000 in the output).",
  ],
  [
    'llama-cpp-python',
    "This model's maximum context length is 2048 tokens, however you requested 2056 tokens (2056 in your prompt; 0 for the completion).",
  ],
  ['vLLM, older', 'The decoder prompt (length 12324) is longer than the maximum model length of 8192.'],
  [
    'LM Studio',
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).',
  ],
  [
    'LM Studio, older',
    'Trying to keep the first 14538 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough.',
  ],
  ['LM Studio, newer', 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)'],
  ['SGLang', "The input (516368 tokens) is longer than the model's context length (262144 tokens)."],
  ['Anthropic', 'prompt is too long: 212393 tokens > 200000 maximum'],
  ['Mistral', 'Prompt contains 300000 tokens, too large for model with 131072 maximum context length'],
  ['Google', 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).'],
];

const OTHERS: [string, string, string][] = [
  ['DeepSeek filters', 'Content Exists Risk', 'AI_BAD_OUTPUT'],
  [
    'Anthropic has no credit',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    'AI_UNAVAILABLE',
  ],
  ['Google knows no such key', 'API key not valid. Please pass a valid API key.', 'AI_UNAVAILABLE'],
];

describe('A refusal that a server says in words alone', () => {
  let service: AiService;

  beforeEach(async () => {
    service = await startAiService();
  });
  afterEach(() => service.stop());

  const refuse = (message: string, errorBody: (error: object) => unknown = error => ({ error })) => {
    service.ai.behave({ takes: [], errorBody: error => errorBody({ ...error, message }) });
  };

  for (const [server, message] of TOO_LONG) {
    it(`is understood as too long: ${server}`, async () => {
      refuse(message);
      expect(await service.summarizer.summarize(conversation(['Eve: Hello']))).to.include({ engine: 'built-in' });
      expect(service.ai.calls()).to.equal(1);
    });

    it(`is not believed where the words were in the chat: ${server}`, async () => {
      refuse(message);
      const error = await service.summarizer.summarize(conversation([`Eve: ${message}`])).catch(err => err);
      expect(error).to.include({ code: 'AI_BAD_OUTPUT' });
    });

    it(`is not believed behind other words: ${server}`, async () => {
      refuse(`Invalid input: "${message}"`);
      const error = await service.summarizer.summarize(conversation(['Eve: Hello'])).catch(err => err);
      expect(error).to.include({ code: 'AI_BAD_OUTPUT' });
    });
  }

  for (const [what, message, code] of OTHERS) {
    it(`is understood where ${what}`, async () => {
      refuse(message);
      const error = await service.summarizer.summarize(conversation(['Eve: Hello'])).catch(err => err);
      expect(error).to.include({ code, kind: 'permanent' });
      expect(service.ai.calls()).to.equal(1);
    });
  }

  it('is read in a list, at the top of the body, and as a bare text', async () => {
    const message = TOO_LONG[0]?.[1] ?? '';
    for (const body of [(error: object) => [{ error }], (error: object) => error, () => ({ error: message })]) {
      refuse(message, body);
      expect(await service.summarizer.summarize(conversation(['Eve: Hello']))).to.include({ engine: 'built-in' });
    }
  });

  const REQUEST_TOO_LARGE =
    'Request too large for gpt-test in organization org-1 on tokens per min (TPM): Limit 10000, Requested 20000. The input or output tokens must be reduced in order to run successfully.';
  const LIMIT_REACHED =
    'Rate limit reached for gpt-test in organization org-1 on tokens per min (TPM): Limit 10000, Used 9000, Requested 2000. Please try again in 6s.';

  /** How a day fares where prompts over 4,096 tokens are refused like this. */
  async function refusedWith(refusal: { message: string; code?: string; type?: string }, said = 'Hello') {
    service.ai.behave({
      context: 4096,
      overflowStatus: 429,
      errorBody: error => ({ error: { ...error, type: 'tokens', code: 'rate_limit_exceeded', ...refusal } }),
    });
    const lines = Array.from(
      { length: 120 },
      (_, n) => `Eve: ${n} ${said}, the papers for warehouse ${n} are all signed.`,
    );
    return service.summarizer.summarize(conversation(lines)).catch(err => err);
  }

  it('is understood where one request has more tokens than a minute may have: the day is read in parts', async () => {
    expect(await refusedWith({ message: REQUEST_TOO_LARGE })).to.include({ engine: 'gpt-test' });
    expect(service.ai.calls()).to.be.greaterThan(2);
  });

  it('is no such request where the minute is full, by another code or type, or where the words were in the chat', async () => {
    for (const refusal of [
      { message: LIMIT_REACHED },
      { message: REQUEST_TOO_LARGE, type: 'requests' },
      { message: REQUEST_TOO_LARGE, code: 'other' },
      { message: `Invalid: ${REQUEST_TOO_LARGE}` },
    ])
      expect(await refusedWith(refusal)).to.include({ code: 'AI_UNAVAILABLE' });
    expect(await refusedWith({ message: REQUEST_TOO_LARGE }, REQUEST_TOO_LARGE)).to.include({ code: 'AI_UNAVAILABLE' });
  });
});
