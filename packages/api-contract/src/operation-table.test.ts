import { loadCatalogue } from '@mediagate/catalog';
import { listOperations } from './index';

const { entries } = loadCatalogue();
const operations = listOperations(entries, { legacyPrefix: 'mj' });

it('no two operations have one id, or one method and path', () => {
  const ids = operations.map(({ id }) => id);
  const places = operations.map(({ method, path }) => `${method} ${path}`);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
});

it('no path stands behind a pattern that takes its requests', () => {
  const patterns = operations.map(
    ({ path }) => new RegExp(`^${path.replace(/:\w+$/, '').replace(/\{\w+\}/g, '[^/]+')}$`),
  );
  const swallowed = operations.filter(({ path }, index) =>
    patterns
      .slice(0, index)
      .some((pattern, earlier) => !path.includes('{') && operations[earlier]?.path !== path && pattern.test(path)),
  );
  expect(swallowed.map(({ path }) => path)).toEqual([]);
});

it('every operation of the catalogue is offered, by its own paths or by a route', () => {
  const offered = new Set(operations.map(({ operation }) => operation));
  const missing = entries.filter(({ operation }) => !offered.has(operation)).map(({ operation }) => operation);
  // Offered by the older interface alone, whose bodies say what they are.
  expect(missing).toEqual(['imgtool.shorten']);
});

it('the prefix of the older interface is a word that no other path begins with', () => {
  for (const legacyPrefix of ['mj', 'draw-2', 'X']) {
    expect(listOperations(entries, { legacyPrefix }).map(({ path }) => path)).toContain(
      `/${legacyPrefix}/submit/imagine`,
    );
  }
  for (const legacyPrefix of ['', 'v1', 'Models', 'gemini', 'a/b', ':id', '-a', 'x'.repeat(33)]) {
    expect(() => listOperations(entries, { legacyPrefix })).toThrow('IMGTOOL_LEGACY_PREFIX must be');
  }
});

/** This table says what routes demand of whoever asks, apart from their entries, from which the tests of routes take their rows. */
const DEMANDS: Record<string, readonly [what: object, entries: string]> = {
  'the role support': [
    { auth: 'operator', role: 'support' },
    `adminUpdateAccount adminSuspendAccount adminResumeAccount adminRevokeKey adminEndUserSessions adminRunAudit
     adminShowResult adminRetryTask adminFailTask adminRedeliverMany adminRedeliver adminCancelDelivery
     adminProbeChannel`,
  ],
  'the role billing': [
    { auth: 'operator', role: 'billing' },
    `adminCreateAccount adminTopUpAccount adminAdjustAccount adminRefundTask adminCreateKey adminUpdateKey
     adminRotateKey adminResolveAttempt adminSetPrice`,
  ],
  'the role admin': [
    { auth: 'operator', role: 'admin' },
    `adminCloseAccount adminInviteUser adminUpdateUser adminDisableUser adminEnableUser adminResetUserSecondFactor
     adminResetUser adminInviteUserAgain adminDeleteUser adminAddChannel adminUpdateChannel adminRemoveChannel
     adminDrainChannel adminDisableChannel adminWeighChannel adminResetChannel adminCreateNoticeTarget
     adminUpdateNoticeTarget adminRemoveNoticeTarget adminTestNoticeTarget adminUpdateNoticeSettings
     adminUpdateCallbackSchedule adminSetSecret adminRemoveSecret`,
  ],
  'the right to manage': [{ auth: 'key', manages: true }, 'createKey listKeys updateKey revokeKey'],
  'the right to manage, and the whole account': [
    { auth: 'key', manages: true, scope: 'account' },
    `getWebhookSecret rotateWebhookSecret listNotices listNoticeTargets createNoticeTarget updateNoticeTarget
     removeNoticeTarget testNoticeTarget getNoticeSettings updateNoticeSettings`,
  ],
  'the family text': [
    { auth: 'key', family: 'text' },
    `generateText streamText countTokens generatePlainText streamPlainText countPlainTokens listTextModels
     getTextModel generatePlainTextV1 streamPlainTextV1 countPlainTokensV1 listTextModelsV1 getTextModelV1
     createChat createResponse`,
  ],
  'the family tts': [{ auth: 'key', family: 'tts' }, 'createSpeech createOpenAiSpeech'],
  'the family image': [{ auth: 'key', family: 'image' }, 'createImage editImage createOpenAiImage editOpenAiImage'],
  'the family video': [{ auth: 'key', family: 'video' }, 'createVideo'],
  'the family music': [{ auth: 'key', family: 'music' }, 'createMusic'],
  'the family imgtool': [
    { auth: 'key', family: 'imgtool' },
    `createImgtool legacyImagine legacyBlend legacyDescribe legacyShorten legacyEdits legacyChange
     legacySimpleChange legacyAction legacyModal legacyVideo`,
  ],
};

it.each(Object.entries(DEMANDS))('%s is asked for by what needs it', (_, [what, entries]) => {
  for (const entry of entries.split(/\s+/)) {
    const served = operations.filter((operation) => operation.entry === entry);
    expect([entry, served.length > 0]).toEqual([entry, true]);
    for (const operation of served) expect({ ...operation, entry }).toMatchObject({ entry, ...what });
  }
});
