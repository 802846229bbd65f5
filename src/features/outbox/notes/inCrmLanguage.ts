import type { NoteContent } from './schema.ts';

/** What a note is made from, with the texts that were written for the CRM where these are in a language of their own. */
export function inCrmLanguage(content: NoteContent): NoteContent {
  const { inCrm, ...structured } = content.structured;
  if (!inCrm) return content;
  return {
    ...content,
    summary: inCrm.summary,
    structured: {
      ...structured,
      writtenIn: inCrm.language,
      topics: inCrm.topics,
      actionItems: structured.actionItems.map(item => ({ ...item, text: item.textInCrm ?? item.text })),
      meetings: structured.meetings.map((meeting, at) => ({ ...meeting, text: inCrm.meetings[at] ?? meeting.text })),
      introductions: inCrm.introductions,
    },
  };
}
