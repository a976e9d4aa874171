/** What every map starts with; it is shared, so nobody writes into it. */
const NOTHING = new Map<never, never>();

/** A map whose copies share their entries until one of them is changed: forks are many, changes few. */
export class SharedMap<K, V> {
  private map: Map<K, V>;
  private shared = true;

  constructor(from?: SharedMap<K, V>) {
    if (from !== undefined) from.shared = true;
    this.map = from?.map ?? NOTHING;
  }

  get size(): number {
    return this.map.size;
  }

  get(key: K): V | undefined {
    return this.map.get(key);
  }

  has(key: K): boolean {
    return this.map.has(key);
  }

  keys(): Iterable<K> {
    return this.map.keys();
  }

  [Symbol.iterator](): Iterator<[K, V]> {
    return this.map.entries();
  }

  set(key: K, value: V): void {
    this.own().set(key, value);
  }

  delete(key: K): void {
    if (this.map.has(key)) this.own().delete(key);
  }

  clear(): void {
    if (this.map.size === 0) return;
    this.map = NOTHING;
    this.shared = true;
  }

  /** Takes all entries over. */
  become(other: SharedMap<K, V>): void {
    if (this.map === other.map) return;
    this.map = other.map;
    this.shared = true;
    other.shared = true;
  }

  /** Certainly the same entries, found without looking at them. */
  isSame(other: SharedMap<K, V>): boolean {
    return this.map === other.map;
  }

  private own(): Map<K, V> {
    if (this.shared) {
      this.map = new Map(this.map);
      this.shared = false;
    }
    return this.map;
  }
}
