export {
  type CallMetrics,
  type CallReply,
  createCallMetrics,
  type MeasureCall,
  type UpstreamCall,
} from './call-metrics';
export { SLOTS_IN_USE, type WatchedChannels, watchChannels, watchOverrides } from './channel-gauges';
export { watchDatabase } from './database-gauges';
export { createEndMetrics } from './end-metrics';
export { type KnownLabels, knownLabels, type LabelSources } from './known-labels';
export { watchStorage } from './storage-gauges';
