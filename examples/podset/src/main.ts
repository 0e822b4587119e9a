import { createOperator } from 'kubewright';
import definition from './operator.js';

try {
  const operator = await createOperator(definition);
  await operator.start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
