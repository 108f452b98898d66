export { type Config, ConfigError, loadConfig, type Setting, type Settings, visibleSettings } from './config';
export { type ListedVariable, listVariables } from './list-variables';
export { createLogger, type LogFields, type Logger } from './logger';
export { spareMemoryUnderPressure } from './memory-pressure';
export { ProcessScope } from './process-scope';
export { hostSettings, run } from './run';
export type { Scope } from './scope';
export { type Service, together } from './service';
export { spareMemoryWhenIdle } from './spare-memory';
