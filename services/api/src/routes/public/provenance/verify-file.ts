import { describeOrigin, findOrigin } from '../../../http/body/find-origin';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { requireActive } from '../../../use-cases/caller';

/** POST /v1/provenance/verify */
export const verifyFile: KeyHandler = async (call, api) => {
  const { caller: owner } = call;
  requireActive(owner);
  const { database } = api;
  const found = await findOrigin(call, api, {
    owner,
    hasResults: async () => (await database.hasOwnFingerprints(owner.accountId)).length > 0,
    findResults: (sought) => database.findOwnFingerprints(sought, owner),
  });
  sendJson(call.response, 200, { code: 200, data: describeOrigin(found) });
};
