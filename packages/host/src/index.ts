export {
  type Config,
  ConfigError,
  loadConfig,
  rereadSecret,
  type Setting,
  type Settings,
  visibleSettings,
} from './config';
export { connectionSettings } from './connection-settings';
export { DatedSteps } from './dated-steps';
export { drainServer, listenAt } from './http-server';
export { keepLooking } from './keep-looking';
export { type ListedVariable, listVariables } from './list-variables';
export { createLogger, type LogFields, type Logger } from './log/logger';
export { spareMemoryUnderPressure } from './memory/memory-pressure';
export { spareMemoryWhenIdle } from './memory/spare-memory';
export { useEachAddress } from './outgoing';
export { ProcessScope } from './process-scope';
export { hostSettings, run } from './run';
export type { Scope } from './scope';
export { type Service, together } from './service';
export {
  callbackTraceHeaders,
  continueTrace,
  keepTrace,
  storableTrace,
  traceFields,
} from './tracing/contexts';
export { openRequestSpan, type RequestSpan } from './tracing/request-span';
export {
  annotate,
  inSpan,
  isTraced,
  markEvent,
  recordSpan,
  type SpanNotes,
  type SpanOptions,
  serverOf,
} from './tracing/spans';
export { startTracing, type Tracing } from './tracing/start-tracing';
export { type TracingConfig, tracingSettings } from './tracing/tracing-settings';
