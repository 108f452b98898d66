import { describeAdapterConformance } from './adapter-conformance';

describeAdapterConformance({
  protocol: 'minimax-video',
  basePath: '/v1',
  vendorWords: /minimax|hailuo/i,
  answers: 'jobs',
  requires: ['image'],
});
