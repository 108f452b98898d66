import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'dashscope-video',
  basePath: '/api/v1',
  vendorWords: /dashscope|alibaba|aliyun|wand/i,
  answers: 'jobs',
  requires: ['image'],
});
