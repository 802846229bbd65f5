import type { APIError } from 'openai';

/** What a server's refusal of a request is about. */
export type Refusal = 'tooLong' | 'filtered' | 'noMoney' | 'noAccess';

/** Of OpenAI and those who imitate it: Azure, llama.cpp, Anthropic, Moonshot, Alibaba. */
const BY_CODE: Record<string, Refusal> = {
  context_length_exceeded: 'tooLong',
  string_above_max_length: 'tooLong',
  exceed_context_size_error: 'tooLong',
  request_too_large: 'tooLong',
  content_filter: 'filtered',
  content_policy_violation: 'filtered',
  invalid_prompt: 'filtered',
  data_inspection_failed: 'filtered',
  insufficient_quota: 'noMoney',
  insufficient_balance: 'noMoney',
  exceeded_current_quota_error: 'noMoney',
  billing_hard_limit_reached: 'noMoney',
  billing_not_active: 'noMoney',
  billing_error: 'noMoney',
  model_not_found: 'noAccess',
  invalid_api_key: 'noAccess',
};

/** The beginning of a sentence of servers that say it in words alone. */
const BY_WORDS: [RegExp, Refusal][] = [
  // vLLM, DeepSeek, OpenRouter, llama-cpp-python
  [/^This (?:model|endpoint)'s maximum context length is \d{1,9} tokens[.,] [Hh]owever,? you/, 'tooLong'],
  [/^The (?:decoder|engine) prompt \(length \d{1,9}\) is longer than the maximum model length of \d/, 'tooLong'],
  // LM Studio
  [/^Trying to keep the first \d{1,9} tokens when context the overflows\. However, the model is loaded/, 'tooLong'],
  [/^The number of tokens to keep from the initial prompt is greater than the context length/, 'tooLong'],
  [/^Cannot truncate prompt with n_keep \(\d{1,9}\) >= n_ctx \(\d/, 'tooLong'],
  // SGLang and Together, Anthropic, xAI, Mistral, Google
  [/^The input \(\d{1,9} tokens\) is longer than the model's context length \(\d/, 'tooLong'],
  [/^prompt is too long: \d{1,9} tokens > \d{1,9} maximum/, 'tooLong'],
  [/^This model's maximum prompt length is \d{1,9} but the request contains \d/, 'tooLong'],
  [/^Prompt contains \d{1,9} tokens[^\n]{0,40}, too large for model with \d{1,9} maximum context length/, 'tooLong'],
  [/^The input token count (?:\(\d{1,9}\) )?exceeds the maximum number of tokens allowed/, 'tooLong'],
  // LiteLLM's proxy
  [/^litellm\.ContextWindowExceededError: /, 'tooLong'],
  [/^API key not valid\. Please pass a valid API key/, 'noAccess'],
  // DeepSeek
  [/^Content Exists Risk/, 'filtered'],
  [/^Insufficient Balance/, 'noMoney'],
  // Anthropic
  [/^Your credit balance is too low to access the (?:Anthropic|Claude) API/, 'noMoney'],
];

/**
 * Told by the error's code and type. By words only where a known server has nothing else, in its own sentence from the
 * beginning on, and never by words that were sent to it: a server may repeat what a chat says.
 * @param sent the texts of the request
 */
export function refusalOf(error: APIError, sent: readonly string[]): { what: Refusal; isSure: boolean } | undefined {
  for (const word of [error.code, error.type]) {
    if (typeof word === 'string' && Object.hasOwn(BY_CODE, word))
      return { what: BY_CODE[word] as Refusal, isSure: true };
  }
  // OpenRouter's moderation has no code of its own.
  if (error.status === 403 && has(has(error.error, 'metadata'), 'flagged_input'))
    return { what: 'filtered', isSure: true };
  const words = wordsOf(error.error);
  for (const [sentence, what] of BY_WORDS) {
    const [said] = sentence.exec(words) ?? [];
    if (said !== undefined && !sent.some(text => text.includes(said))) return { what, isSure: false };
  }
  return undefined;
}

/** OpenAI's words for one request with more tokens than a minute may have. Its code and type also say that the minute is full. */
const TOO_LARGE_FOR_MINUTE = /^Request too large for [^\n]{1,200}: Limit \d{1,9}, Requested \d{1,9}/;

/** Whether no pause will help a request that was refused with 429. The same holds for its words as in {@link refusalOf}. */
export function isTooLargeForMinute(error: APIError, sent: readonly string[]): boolean {
  if (error.code !== 'rate_limit_exceeded' || error.type !== 'tokens') return false;
  const [said] = TOO_LARGE_FOR_MINUTE.exec(wordsOf(error.error)) ?? [];
  return said !== undefined && !sent.some(text => text.includes(said));
}

/** LM Studio's error is a bare text. */
function wordsOf(error: unknown): string {
  const words = typeof error === 'string' ? error : has(error, 'message');
  return typeof words === 'string' ? words : '';
}

function has(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
