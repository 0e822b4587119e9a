export * from '@kubewright/api/kinds';
