import { describeAdapterConformance } from '../../test/adapter-conformance';

describeAdapterConformance({
  protocol: 'skyreels-video',
  basePath: '',
  vendorWords: /skyreels|kunlun/i,
  answers: 'jobs',
  requires: ['image'],
});
