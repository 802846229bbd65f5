import { createNumberCheck } from '../../src/clients/summarizer/openai/numbers.ts';
import type { Summary, SummaryRequest } from '../../src/clients/summarizer/types.ts';
import type { Answer, Recording } from './recordings.ts';

/** What the pipeline made of one thing the model wrote. `isLoss` unless it is something right that was made better. */
export type Difference = { what: string; isLoss: boolean };

/** Everything the pipeline changed or left out of a model's answer, and numbers that no one wrote. */
export async function differencesOf({ request, answer }: Recording, digest: Summary): Promise<Difference[]> {
  return [
    ...(await ofSummary(answer, digest, request)),
    ...ofItems(answer, digest),
    ...ofMeetings(answer, digest, request),
  ];
}

async function ofSummary(
  answer: Answer,
  { summary, structured }: Summary,
  request: SummaryRequest,
): Promise<Difference[]> {
  const days = [
    ...structured.actionItems.map(({ dueDate }) => dueDate),
    ...structured.meetings.map(({ date }) => date),
  ];
  const checkNumbers = await createNumberCheck({
    ...request,
    language: structured.language,
    today: request.today ?? '',
  });
  const known = days.filter(day => day !== null);
  const numbers = checkNumbers(summary, [], known).foreign;
  return [
    ...(summary === answer.summary ? [] : [loss(`summary became: ${summary}`)]),
    ...numbers.map(number => loss(`number that stands in no message: ${number}`)),
  ];
}

function ofItems({ actionItems }: Answer, { structured }: Summary): Difference[] {
  return actionItems.flatMap(item => {
    const kept = structured.actionItems.find(({ text }) => text === item.text);
    if (!kept) return [loss(`item dropped: ${item.text}`)];
    const about = (name: string, before: unknown, after: unknown) =>
      String(before) === String(after) ? [] : [loss(`${name} ${before} became ${after}: ${item.text}`)];
    return [
      ...about('owner', `${item.owner} ${item.ownerName}`, `${kept.owner} ${kept.ownerName}`),
      ...about('words', item.dueText, kept.dueText),
      ...(item.dueDate === null && kept.dueDate !== null
        ? [{ what: `day ${kept.dueDate} found: ${item.text}`, isLoss: false }]
        : about('day', item.dueDate, kept.dueDate)),
      ...about('messages', item.lines.join(','), kept.sourceMessageIds.join(',')),
    ];
  });
}

/** Dropping a meeting that is over is no loss. */
function ofMeetings({ meetings }: Answer, { structured }: Summary, { messages }: SummaryRequest): Difference[] {
  const today = messages.at(-1)?.sentAt.toISOString().slice(0, 10) ?? '';
  return meetings.flatMap(({ text, date }) => {
    const kept = structured.meetings.find(meeting => meeting.text === text);
    if (!kept) return [{ what: `meeting dropped (${date}): ${text}`, isLoss: date === null || date >= today }];
    return kept.date === date ? [] : [loss(`day ${date} became ${kept.date}: ${text}`)];
  });
}

function loss(what: string): Difference {
  return { what, isLoss: true };
}
