import type { IRouter } from 'express';
import { currentUser, parseInput, requireUser } from '../../../http/request.ts';
import type { Timed } from '../../../lib/clock.ts';
import { type ConfigJson, type SyncConfig, settingsInput } from './schema.ts';
import { getSettings, updateSettings } from './service.ts';

export function settingsApi(api: IRouter, deps: Timed): void {
  api.get('/api/settings', requireUser, async (req, res) => {
    res.json({ config: toListedConfig(await getSettings(deps, { userId: currentUser(req).id })) });
  });

  api.post('/api/settings', requireUser, async (req, res) => {
    const changes = parseInput(settingsInput, req.body);
    const config = await updateSettings(deps, { userId: currentUser(req).id, changes });
    res.json({ success: true, config: toListedConfig(config) });
  });
}

function toListedConfig({ waitingDays: _, digestLanguage: __, crmLanguage: ___, ...config }: SyncConfig): ConfigJson {
  return config;
}
