export { deleteWebhookCountsBefore, deleteWebhookEventsBefore } from './repo.ts';
