import { createOpenAiSummarizer, type OpenAiOptions } from '../../../src/clients/summarizer/openai.ts';
import type { Summarizer, SummarizerReport } from '../../../src/clients/summarizer/types.ts';
import { type AiSandbox, startAiSandbox } from '../../support/ai/server.ts';

export type AiService = { ai: AiSandbox; summarizer: Summarizer; reports: SummarizerReport[]; stop: () => Promise<void> };

export const API_KEY = 'sk-test-0123456789abcdefghij';

/** A service of its own on loopback, and the real client that talks to it. */
export async function startAiService(options: Partial<OpenAiOptions> = {}): Promise<AiService> {
  const ai = await startAiSandbox({ apiKey: API_KEY });
  const reports: SummarizerReport[] = [];
  const summarizer = createOpenAiSummarizer({
    apiKey: API_KEY,
    model: 'gpt-test',
    apiUrl: ai.url,
    report: sent => reports.push(sent),
    callTimeoutMs: 30_000,
    ...options,
  });
  return { ai, summarizer, reports, stop: ai.stop };
}

/** A service like that for each test, and stopped after it. */
export function eachAiService(): AiService {
  const service = {} as AiService;
  beforeEach(async () => void Object.assign(service, await startAiService()));
  afterEach(() => service.stop());
  return service;
}
