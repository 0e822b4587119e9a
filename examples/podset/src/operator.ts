import { defineOperator, type OperatorOptions } from 'kubewright';
import { PodSetController } from './podset.controller.js';

const operator: OperatorOptions = defineOperator({ name: 'podset-operator', controllers: [PodSetController] });
export default operator;
