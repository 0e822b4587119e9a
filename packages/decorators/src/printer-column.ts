import { type PrinterColumnOptions, updateRecord, withColumn, withProperty } from '@kubewright/metadata';
import { misplaced, placeOf } from './place.js';

/** A column of `kubectl get`: on a property, or on the class with `type` and `jsonPath`. */
export function PrinterColumn(options: PrinterColumnOptions): ClassDecorator & PropertyDecorator {
  const apply = (target: object, name?: string | symbol, third?: unknown): void => {
    const place = placeOf(target, name, third);
    if (place.kind === 'property') updateRecord(place.cls, withProperty(place.name, { columns: [options] }));
    else if (place.kind === 'class' && options.type && options.jsonPath) updateRecord(place.cls, withColumn(options));
    else
      misplaced(place, `@PrinterColumn({ name: '${options.name}' })`, {
        expected: 'a property, or a class with type and jsonPath given',
        fix: `@PrinterColumn({ name: '${options.name}', type: 'string', jsonPath: '.spec.…' })`,
      });
  };
  return apply as ClassDecorator & PropertyDecorator;
}
