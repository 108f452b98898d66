import { listPriceHistory, listPrices, priceWithoutOverride, readPriceOverride, setPrice } from '@mediagate/billing';
import {
  addChannel,
  changeChannel,
  changeWebhooks,
  listChannels,
  listSecrets,
  probeChannel,
  readChannelHistory,
  readSchedule,
  removeChannel,
  removeSecret,
  resetChannel,
  setSecret,
} from '@mediagate/channels';
import {
  addTarget,
  changeSettings,
  changeTarget,
  isTestedOften,
  listTargets,
  readSettings,
  removeTarget,
  testTarget,
  unreachable,
} from '@mediagate/notices';
import { parsePriceOverride } from '@mediagate/settings';
import type { OperatorHandlerDeps } from './operator-handlers';
import type { OperatorResources } from './operator-resources';

/** Use cases for the operators' settings: channels, vendors' keys, prices, and who gets which notices. */
export function settingUseCases(resources: OperatorResources) {
  return {
    ...channelUseCases(resources),
    ...secretUseCases(resources),
    ...priceUseCases(resources),
    ...noticeUseCases(resources),
  };
}

function channelUseCases({
  database,
  channelsInFile: inFile,
  webhooksInFile,
  judge: reader,
  keys,
  sealer,
}: OperatorResources) {
  const deps = { database, inFile, reader };
  return {
    listChannels: (asked) => listChannels({ database, inFile: inFile(), reader, ...asked }),
    addChannel: (id, wanted) => addChannel(deps, id, wanted),
    changeChannel: (id, wanted) => changeChannel(deps, id, wanted),
    resetChannel: (id, request) => resetChannel(deps, id, request),
    readHistory: (wanted) => readChannelHistory({ database, inFile: inFile() }, wanted),
    probeChannel: (id, request) => probeChannel({ database, inFile, keys, sealer }, id, request),
    removeChannel: (id, request) => removeChannel(deps, id, request),
    readSchedule: () => readSchedule(database, webhooksInFile()),
    changeSchedule: (wanted) => changeWebhooks(deps, wanted),
  } satisfies Partial<OperatorHandlerDeps>;
}

function secretUseCases({ database, sealer, channelSources }: OperatorResources) {
  const deps = { database, sealer };
  return {
    listSecrets: () => listSecrets(deps, channelSources()),
    canSeal: sealer !== undefined,
    setSecret: (secret, request) => setSecret(deps, { ...secret, sources: channelSources() }, request),
    removeSecret: (name, request) => removeSecret(deps, name, request),
  } satisfies Partial<OperatorHandlerDeps>;
}

function priceUseCases({ database, catalogue, filePrices }: OperatorResources) {
  return {
    listPrices: (wanted) => listPrices({ database, entries: catalogue.entries, file: filePrices(), ...wanted }),
    listPriceHistory: (page) => listPriceHistory(database, page),
    readPriceOverride: (id) => readPriceOverride(database, id),
    setPrice(wanted, request) {
      const { entries } = catalogue;
      const withoutOverride = priceWithoutOverride(wanted.billingKey, { entries, file: filePrices() });
      return setPrice(database, { ...wanted, withoutOverride }, request);
    },
    parsePrice: (billingKey, price) => parsePriceOverride(billingKey, price, catalogue.billingKeys),
    isBilled: (billingKey) => catalogue.billingKeys.has(billingKey),
  } satisfies Partial<OperatorHandlerDeps>;
}

/** Use cases of notices, for account holders too. */
function noticeUseCases({ database }: OperatorResources) {
  return {
    listNotices: (search) => database.listNotices(search),
    listNoticeTargets: (owner) => listTargets(database, owner),
    unreachable: (target) => unreachable(database, target),
    addNoticeTarget: (target, request) => addTarget(database, target, request),
    changeNoticeTarget: (target, request) => changeTarget(database, target, request),
    removeNoticeTarget: (target, request) => removeTarget(database, target, request),
    testNoticeTarget: (target, request) => testTarget(database, target, request),
    isTestedOften: (owner) => isTestedOften(database, owner),
    readNoticeSettings: (owner) => readSettings(database, owner),
    changeNoticeSettings: (wanted, request) => changeSettings(database, wanted, request),
  } satisfies Partial<OperatorHandlerDeps>;
}
