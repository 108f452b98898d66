export { lookupsOf, type SettingsInForce } from './apply-overrides';
export { type Breaker, type CallVerdict, verdictOn } from './breaker';
export { type CallbackSchedule, changeWebhooks, describeSchedule, readSchedule } from './callback-schedule';
export { addChannel, changeChannel, removeChannel, resetChannel } from './change-channel';
export {
  readFields,
  type SettingsOutcome,
  type SettingsRefusal,
  type WantedSettings,
} from './change-settings';
export { type BegunAttempt, type ChannelBook, createChannelBook } from './channel-book';
export { type ChannelChooser, createChannelChooser, endpointOf, type Sought } from './channel-chooser';
export { describeHistory, readChannelHistory } from './channel-history';
export { channelOriginSettings } from './channel-origin-settings';
export { ChannelPaces } from './channel-paces';
export { ChannelSlots } from './channel-slots';
export type { ChangedChannels, Channels } from './channels';
export { keepComparingNames } from './compare-names';
export { describeChannel } from './describe-channel';
export { type FollowedConfiguration, followConfiguration } from './follow-configuration';
export { followOverrides, SETTINGS_LEAD_MS } from './follow-overrides';
export { judgeOnce } from './judge-once';
export { type ChannelSettings, listChannelSettings } from './list-channel-settings';
export { type ListedChannel, listChannels } from './list-channels';
export { describeRetirement, type ListedRetirement, listRetirements } from './list-retirements';
export {
  type CallMetrics,
  type CallReply,
  createCallMetrics,
  type MeasureCall,
  type UpstreamCall,
} from './metrics/call-metrics';
export { SLOTS_IN_USE, type WatchedChannels, watchChannels } from './metrics/channel-gauges';
export { createEndMetrics } from './metrics/end-metrics';
export { type KnownLabels, knownLabels, type LabelSources } from './metrics/known-labels';
export { type AnnouncedEnds, createAnnouncedEnds, reportDaysLeft } from './metrics/report-days-left';
export { describeSighting, probeChannel, type SeenChannel, seeChannels } from './probe-channel';
export { readInForce, readSettingsInForce, readSources } from './read-sources';
export { createTextTranslator } from './text-translator';
export { vendorSecretSettings } from './vendor-secret-settings';
export {
  type AwaitedElsewhere,
  awaitedProblem,
  describeSecret,
  listSecrets,
  openerOf,
  openVendorSealer,
  readSigningSecret,
  resealSecrets,
  type ShownSecret,
  setSecret,
  type VendorSealer,
} from './vendor-secrets';
export { vendorsOf } from './vendors-of';
