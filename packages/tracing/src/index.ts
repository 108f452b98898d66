export {
  callbackTraceHeaders,
  continueTrace,
  currentTrace,
  type InTrace,
  keepTrace,
  storableTrace,
  traceFields,
} from './contexts';
export { openRequestSpan, type RequestSpan } from './request-span';
export { serverOf } from './server-of';
export { annotate, inSpan, isTraced, markEvent, recordSpan, type SpanNotes, type SpanOptions } from './spans';
export { startTracing, type Tracing } from './start-tracing';
export { type TracingConfig, tracingSettings } from './tracing-settings';
