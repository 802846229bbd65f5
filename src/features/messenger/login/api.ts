import type { IRouter } from 'express';
import { networkOf } from '../../../http/rateLimit.ts';
import { currentUser, parseInput, requireUser } from '../../../http/request.ts';
import { OPERATOR_DECIDES } from '../consent/rules.ts';
import { connectInput, type StepJson, verifyInput, verifyPasswordInput } from './schema.ts';
import { type ConnectDeps, type StepResult, startConnect, verifyCode, verifyPassword } from './service.ts';

export function messengerLoginApi(api: IRouter, deps: ConnectDeps): void {
  api.use('/api/messenger', requireUser);

  api.post('/api/messenger/connect', async (req, res) => {
    const { phone } = parseInput(connectInput, req.body);
    const { authToken } = await startConnect(deps, { userId: currentUser(req).id, phone, network: networkOf(req) });
    res.json({ authToken });
  });

  api.post('/api/messenger/verify', async (req, res) => {
    const input = parseInput(verifyInput, req.body);
    res.json(toStepJson(await verifyCode(deps, { userId: currentUser(req).id, choice: OPERATOR_DECIDES, ...input })));
  });

  api.post('/api/messenger/verify-2fa', async (req, res) => {
    const input = parseInput(verifyPasswordInput, req.body);
    res.json(toStepJson(await verifyPassword(deps, { userId: currentUser(req).id, choice: OPERATOR_DECIDES, ...input })));
  });
}

function toStepJson(result: StepResult): StepJson {
  if (result.needs2FA) return { needs2FA: true };
  return { success: true, accountId: result.accountId, messengerUser: result.messengerUser };
}
