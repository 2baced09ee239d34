//! Places for work that costs something: a number at once, and only some of them for one client.
//!
//! tokio's semaphore counts the places. The limit for each client is written here, since `tower` limits only the total.

use crate::fault::Fault;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// A client by its address: of version 6 only the network counts, of which one machine has as many addresses as it likes.
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

/// Places for one kind of work.
pub(crate) struct Places {
    all: Arc<Semaphore>,
    /// How many of them one client may have.
    of_one: usize,
    /// Those of the clients that have some, or wait for one.
    clients: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

/// A place, free again once it is dropped: that of the client, and that of all.
pub(crate) type Place = [OwnedSemaphorePermit; 2];

impl Places {
    /// This number of places, at least two; half of them for one client.
    pub(crate) fn new(all: usize) -> Self {
        let all = all.max(2);
        Self {
            all: Arc::new(Semaphore::new(all)),
            of_one: all / 2,
            clients: Mutex::default(),
        }
    }

    /// A place for the client of an address, as soon as there is one.
    ///
    /// # Errors
    /// If there is none in time: 429 if the client has all it may have, 503 if others have them.
    pub(crate) async fn take(&self, address: IpAddr, wait: Duration) -> Result<Place, Fault> {
        let until = Instant::now() + wait;
        let take = async |places: Arc<Semaphore>, status, why: String| {
            let place = timeout_at(until, places.acquire_owned()).await;
            let place = place.ok().and_then(Result::ok);
            place.ok_or_else(|| Fault::new(status, why + " Try again in a moment."))
        };
        let most = self.of_one;
        let too_many =
            format!("{most} requests of yours are being answered, the most for one address.");
        let own = take(self.of(client(address)), 429, too_many).await?;
        let too_many = "Too many questions are being answered.".to_owned();
        Ok([own, take(Arc::clone(&self.all), 503, too_many).await?])
    }

    /// The places of one client. Those who have none and wait for none are forgotten.
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
    fn one_client_leaves_places_for_others() {
        run(one_client_is_refused());
    }

    async fn one_client_is_refused() {
        let places = Places::new(4);
        let soon = Duration::from_millis(20);
        let mut held = Vec::new();
        for _ in 0..2 {
            held.push(places.take(own(1), soon).await.unwrap());
        }
        for _ in 0..3 {
            assert_eq!(places.take(own(1), soon).await.unwrap_err().status, 429);
        }
        let other = places.take(own(2), soon).await.unwrap();
        let third = places.take(own(3), soon).await.unwrap();
        assert_eq!(places.take(own(2), soon).await.unwrap_err().status, 503);
        assert_eq!(places.clients.lock().unwrap().len(), 3);
        drop((held.pop(), third));
        // Who waited in vain holds nothing; who has left is forgotten.
        held.push(places.take(own(1), soon).await.unwrap());
        drop((places.take(own(4), soon).await.unwrap(), other, held));
        drop(places.take(own(5), soon).await.unwrap());
        assert_eq!(places.clients.lock().unwrap().len(), 1);
    }

    #[test]
    fn who_waits_gets_the_next_place() {
        run(one_waits_for_the_other());
    }

    async fn one_waits_for_the_other() {
        let places = Arc::new(Places::new(2));
        let held = places.take(own(1), Duration::ZERO).await.unwrap();
        let waiting = {
            let places = Arc::clone(&places);
            tokio::spawn(async move { places.take(own(1), Duration::from_secs(20)).await })
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
}
