import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'http-job',
  basePath: '/v1',
  vendorWords: /studio|minimax|hailuo/i,
  answers: 'jobs',
  requires: [
    'image',
    'images',
    'callback',
    'cancel-waiting',
    'header-key',
    'query-key',
    'basic-key',
    'hmac-key',
    'hmac-check',
    'aws4-without-id',
    'result-file',
    'sound',
    'sound-body',
  ],
});

describeAdapterConformance({
  protocol: 'http-job',
  basePath: '/v1',
  vendorWords: /studio/i,
  answers: 'outputs',
  only: 'images',
});
