import { type Class, type Misuse, updateRecord, withMisuse } from '@kubewright/metadata';

/** Where a decorator was written, told from its arguments. */
export type Place =
  | { readonly kind: 'class'; readonly cls: Class }
  | {
      readonly kind: 'method' | 'property' | 'accessor' | 'static' | 'parameter';
      readonly cls: Class;
      readonly name: string;
    };

/** Reads a decorator's arguments: a class, or a prototype with a member name. */
export function placeOf(target: object, name?: string | symbol, third?: unknown): Place {
  if (name === undefined) return { kind: 'class', cls: target as Class };
  if (typeof target === 'function') return { kind: 'static', cls: target as Class, name: String(name) };
  const cls = target.constructor as Class;
  if (typeof third === 'number') return { kind: 'parameter', cls, name: String(name) };
  const descriptor = third as PropertyDescriptor | undefined;
  const kind = descriptor === undefined ? 'property' : typeof descriptor.value === 'function' ? 'method' : 'accessor';
  return { kind, cls, name: String(name) };
}

const ARTICLE = {
  class: 'a class',
  method: 'a method',
  property: 'a property',
  accessor: 'an accessor',
  static: 'a static member',
  parameter: 'a parameter',
};

/** Notes a decorator in the wrong place; bootstrap reports it with all other faults. */
export function misplaced(place: Place, decorator: string, wanted: Pick<Misuse, 'expected' | 'fix'>): void {
  const property = place.kind === 'class' ? {} : { property: place.name };
  updateRecord(place.cls, withMisuse({ decorator, ...property, found: `stands on ${ARTICLE[place.kind]}`, ...wanted }));
}

type AnyDecorator = (target: object, name?: string | symbol, third?: unknown) => void;

/** A decorator that belongs on a class. */
export function onClass(decorator: string, write: (cls: Class) => void): ClassDecorator {
  const apply: AnyDecorator = (target, name, third) => {
    const place = placeOf(target, name, third);
    if (place.kind === 'class') write(place.cls);
    else misplaced(place, decorator, { expected: 'a class', fix: `move it in front of the class ${place.cls.name}` });
  };
  return apply as ClassDecorator;
}

/** A decorator that belongs on a property. */
export function onProperty(decorator: string, write: (cls: Class, name: string) => void): PropertyDecorator {
  const apply: AnyDecorator = (target, name, third) => {
    const place = placeOf(target, name, third);
    if (place.kind === 'property') write(place.cls, place.name);
    else misplaced(place, decorator, { expected: 'a property', fix: 'move it in front of the property it describes' });
  };
  return apply as PropertyDecorator;
}
