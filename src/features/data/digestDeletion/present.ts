import { formatDate, formatQuantity, formatWeekday } from '../../../lib/words.ts';
import { CRM_NAME } from '../../crm/present.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import type { DeletionQuestion } from './service.ts';

type ConsequenceLine = { words: string; isKept: boolean };

/** The question before digests are deleted: what goes, and what the deletion does not reach. */
export function presentDeletion({ dialog, day, today, consequences, writesTasks }: DeletionQuestion) {
  const { digests, promises, ownPromises, questions, notes, tasks } = consequences;
  const goes = (words: string): ConsequenceLine => ({ words, isKept: false });
  const stays = (words: string): ConsequenceLine => ({ words, isKept: true });
  const promised = formatQuantity(promises, 'promise that rests on', 'promises that rest on');
  const happens = [
    goes(`${day ? 'The digest' : formatQuantity(digests, 'digest', 'digests')}, with every word quoted in it`),
    promises > 0 && goes(`${promised} ${day ? 'it and on no other digest' : 'them'}, closed ones too`),
    questions > 0 &&
      goes(formatQuantity(questions, 'question that waits for your answer', 'questions that wait for your answer')),
    notes > 0 && goes(`${formatQuantity(notes, 'note', 'notes')} in ${CRM_NAME}, as soon as it can be reached`),
    tasks > 0 &&
      writesTasks &&
      goes(`${formatQuantity(tasks, 'task', 'tasks')} in ${CRM_NAME}, as soon as it can be reached`),
    tasks > 0 && !writesTasks && stays(`${formatQuantity(tasks, 'task', 'tasks')} in ${CRM_NAME}: tasks are turned off`),
    ownPromises > 0 && stays(`${formatQuantity(ownPromises, 'promise', 'promises')} that you added or edited`),
    stays('The messages in Telegram. They aren’t read again'),
    stays('Emails that you already got'),
  ];
  return {
    name: dialogName(dialog),
    day: day ? `${formatWeekday(day)}, ${formatDate(day, today)}` : '',
    isAll: day === undefined,
    happens: happens.filter(line => line !== false),
  };
}

/**
 * Message shown after a deletion.
 * @param day YYYY-MM-DD
 */
export function deletedFlash(deleted: { day: string; today: string } | { count: number }) {
  const title =
    'day' in deleted
      ? `Digest of ${formatWeekday(deleted.day)}, ${formatDate(deleted.day, deleted.today)} deleted`
      : `${formatQuantity(deleted.count, 'digest', 'digests')} deleted`;
  return { tone: 'ok' as const, title, text: 'What we wrote to the CRM from it is removed as soon as it can be reached.' };
}
