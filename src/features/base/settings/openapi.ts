import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, jsonBody, READING, refusals, WRITING } from '../../../http/openapi/answers.ts';
import { DEFAULT_JSON, savedSettingsJson, settingsInput, settingsJson } from './schema.ts';

const config = { ...DEFAULT_JSON, syncTime: '07:30', timezone: 'Europe/Berlin' };

export const settingsPaths: ZodOpenApiPathsObject = {
  '/api/settings': {
    get: {
      operationId: 'getSettings',
      summary: 'The settings of the daily sync',
      responses: { 200: json(settingsJson, { config }), ...refusals(READING) },
    },
    post: {
      operationId: 'saveSettings',
      summary: 'Save the settings',
      description: 'A field that is not sent keeps its value.',
      requestBody: jsonBody(settingsInput, config),
      responses: { 200: json(savedSettingsJson, { success: true, config }), ...refusals(WRITING) },
    },
  },
};
