/** Environment of every service. Of the exporter's other variables (`…_TIMEOUT`, `…_COMPRESSION`, `…_CERTIFICATE`) the SDK knows itself. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'http',
    default: null,
    about: 'collector of OpenTelemetry that traces go to, as http://collector:4318; absent: nothing is traced',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    type: 'http',
    default: null,
    about: 'the same with its path, as http://collector:4318/v1/traces; goes before the other',
  },
  OTEL_SDK_DISABLED: { type: 'boolean', default: false, about: 'nothing is traced, whatever the endpoint says' },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    type: 'string',
    default: 'http/protobuf',
    oneOf: ['http/protobuf'],
    about: 'how the collector is spoken to',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: 'string',
    default: null,
    secret: true,
    about: 'headers for the collector, as name=value, comma separated',
  },
  OTEL_SERVICE_NAME: {
    type: 'string',
    default: null,
    about: "the service's name in traces; absent: mediagate-<service>",
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    type: 'string',
    default: null,
    about: 'attributes of every span of the process, as deployment.environment.name=test, comma separated',
  },
  OTEL_TRACES_SAMPLER: {
    type: 'string',
    default: 'parentbased_traceidratio',
    oneOf: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    about:
      'which requests are traced; by those named parentbased_ callers may ask for it, within TRACE_CALLERS_PER_SECOND',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    type: 'string',
    default: '1',
    about: 'share of requests that traceidratio traces, 0 to 1',
  },
  TRACE_CALLERS_PER_SECOND: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 10_000,
    about: 'requests a second and process that are traced because their callers ask for it, beyond the sampler',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    type: 'integer',
    default: 2048,
    min: 512,
    max: 100_000,
    about: 'spans that wait for the collector at most; more are dropped and counted',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    type: 'integer',
    default: 5000,
    min: 10,
    max: 60_000,
    about: 'milliseconds after which spans that wait are sent',
  },
} as const;

type Sampling = (typeof tracingSettings)['OTEL_TRACES_SAMPLER']['oneOf'][number];

/** The values read for `tracingSettings`. */
export interface TracingConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | undefined;
  OTEL_SDK_DISABLED: boolean;
  OTEL_SERVICE_NAME: string | undefined;
  OTEL_TRACES_SAMPLER: Sampling;
  OTEL_TRACES_SAMPLER_ARG: string;
  TRACE_CALLERS_PER_SECOND: number;
  OTEL_BSP_MAX_QUEUE_SIZE: number;
  OTEL_BSP_SCHEDULE_DELAY: number;
}
