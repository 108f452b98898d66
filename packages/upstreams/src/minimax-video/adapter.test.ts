import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'minimax-video',
  basePath: '/v1',
  vendorWords: /minimax|hailuo/i,
  answers: 'jobs',
  requires: ['image'],
});
