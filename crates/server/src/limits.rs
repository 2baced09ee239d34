//! Limits expensive work and connections: how many there are at once, in total and for one client.
//!
//! tokio's semaphore counts the permits. `tower` limits only the total, so this module adds the limit for each client.

use crate::fault::Fault;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// Identifies a client by its address. IPv6 addresses count by their /64 network, because one machine can use every
/// address in it.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let network = u128::from(address) >> 64 << 64;
            Ipv6Addr::from(network).into()
        }
        IpAddr::V6(_) => Ipv4Addr::LOCALHOST.into(),
        address => address,
    }
}

/// Permits for one kind of work.
pub(crate) struct Permits {
    all: Arc<Semaphore>,
    /// How many of them one client may have.
    of_one: usize,
    /// The semaphores of the clients that hold a permit or wait for one.
    clients: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

/// A permit of the client and one of the total. Dropping it returns both.
pub(crate) type Permit = [OwnedSemaphorePermit; 2];

impl Permits {
    /// Creates `all` permits, but at least two. One client may hold half of them.
    pub(crate) fn new(all: usize) -> Self {
        let all = all.max(2);
        Self {
            all: Arc::new(Semaphore::new(all)),
            of_one: all / 2,
            clients: Mutex::default(),
        }
    }

    /// Waits for a permit for the client at an address.
    ///
    /// # Errors
    /// If no permit is free in time: 429 if the client already holds as many as it may, 503 if others hold them.
    pub(crate) async fn acquire(&self, address: IpAddr, wait: Duration) -> Result<Permit, Fault> {
        let until = Instant::now() + wait;
        let acquire = async |permits: Arc<Semaphore>, status, why: String| {
            let permit = timeout_at(until, permits.acquire_owned()).await;
            let permit = permit.ok().and_then(Result::ok);
            permit.ok_or_else(|| Fault::new(status, why + " Try again in a moment."))
        };
        let most = self.of_one;
        let too_many =
            format!("{most} requests of yours are being answered, the most for one address.");
        let own = acquire(self.of(client(address)), 429, too_many).await?;
        let too_many = "Too many questions are being answered.".to_owned();
        Ok([own, acquire(Arc::clone(&self.all), 503, too_many).await?])
    }

    /// The semaphore of one client. Clients that hold no permit and wait for none are forgotten.
    fn of(&self, client: IpAddr) -> Arc<Semaphore> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = clients.get(&client).and_then(Weak::upgrade) {
            return own;
        }
        clients.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(self.of_one));
        clients.insert(client, Arc::downgrade(&own));
        own
    }
}

/// Counts the open connections of each address.
pub(crate) struct Connections {
    /// How many of them one address may have.
    of_one: usize,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// An open connection. Dropping it counts it as closed.
pub(crate) struct Connection {
    all: Arc<Connections>,
    client: IpAddr,
}

impl Connections {
    /// Allows each address `of_one` connections, but at least one.
    pub(crate) fn new(of_one: usize) -> Arc<Self> {
        Arc::new(Self {
            of_one: of_one.max(1),
            open: Mutex::default(),
        })
    }

    /// Counts one more connection; `None` if the address has as many as it may.
    pub(crate) fn open(self: &Arc<Self>, address: IpAddr) -> Option<Connection> {
        let client = client(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(client).or_default();
        if *count >= self.of_one {
            return None;
        }
        *count += 1;
        let all = Arc::clone(self);
        Some(Connection { all, client })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut open = self.all.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut own) = open.entry(self.client) {
            *own.get_mut() -= 1;
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    fn run(test: impl Future<Output = ()>) {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_time().build().unwrap().block_on(test);
    }

    #[test]
    fn one_client_leaves_permits_for_others() {
        run(one_client_is_refused());
    }

    async fn one_client_is_refused() {
        let permits = Permits::new(4);
        let soon = Duration::from_millis(20);
        let mut held = Vec::new();
        for _ in 0..2 {
            held.push(permits.acquire(own(1), soon).await.unwrap());
        }
        for _ in 0..3 {
            assert_eq!(permits.acquire(own(1), soon).await.unwrap_err().status, 429);
        }
        let other = permits.acquire(own(2), soon).await.unwrap();
        let third = permits.acquire(own(3), soon).await.unwrap();
        assert_eq!(permits.acquire(own(2), soon).await.unwrap_err().status, 503);
        assert_eq!(permits.clients.lock().unwrap().len(), 3);
        drop((held.pop(), third));
        // A client whose wait timed out holds nothing, and a client that has left is forgotten.
        held.push(permits.acquire(own(1), soon).await.unwrap());
        drop((permits.acquire(own(4), soon).await.unwrap(), other, held));
        drop(permits.acquire(own(5), soon).await.unwrap());
        assert_eq!(permits.clients.lock().unwrap().len(), 1);
    }

    #[test]
    fn who_waits_gets_the_next_permit() {
        run(one_waits_for_the_other());
    }

    async fn one_waits_for_the_other() {
        let permits = Arc::new(Permits::new(2));
        let held = permits.acquire(own(1), Duration::ZERO).await.unwrap();
        let waiting = {
            let permits = Arc::clone(&permits);
            tokio::spawn(async move { permits.acquire(own(1), Duration::from_secs(20)).await })
        };
        tokio::time::sleep(Duration::from_millis(20)).await;
        drop(held);
        assert!(waiting.await.unwrap().is_ok());
    }

    #[test]
    fn a_network_of_version_6_is_one_client() {
        let of = |text: &str| client(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), own(1));
        assert_eq!(of("::1"), of("127.0.0.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }

    #[test]
    fn one_address_has_some_connections_and_others_are_not_counted_with_it() {
        let connections = Connections::new(2);
        let open = |last| connections.open(own(last));
        let held = [1, 1, 2].map(|last| open(last).unwrap());
        assert!(open(1).is_none());
        assert!(
            connections
                .open("::ffff:192.0.2.1".parse().unwrap())
                .is_none()
        );
        drop(open(2).unwrap());
        let [first, second, other] = held;
        drop(first);
        assert!(open(1).is_some());
        drop((second, other));
        // Addresses without connections are forgotten.
        assert!(connections.open.lock().unwrap().is_empty());
    }
}
